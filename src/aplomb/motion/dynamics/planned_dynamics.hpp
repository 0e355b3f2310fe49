#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Contact wrenches and joint torques of a plan, one column per sample.
struct PlannedDynamics {
  std::vector<Trajectory::ContactWrenches> wrenches;  ///< as in Trajectory
  Eigen::MatrixXd torque;                             ///< one row per joint [N m]
};

/// Computes them by inverse dynamics of `model`, at `speed` (2 plays the plan in half the time). Each contact exerts
/// its planned wrench; the feet in contact exert also what is missing to the wrench that the motion needs, with the
/// smallest weighted sum of squared forces and moments. At speed 1 a consistent plan lacks nothing.
/// Plans without wrenches: seat and hands exert their planned shares of the total force at their contact points, the
/// feet the rest. A schedule without feet counts as standing on all soles.
PlannedDynamics planned_dynamics(const RobotModel& model, const MotionPlan& plan, double speed);

}  // namespace aplomb
