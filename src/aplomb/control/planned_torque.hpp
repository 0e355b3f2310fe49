#pragma once

#include <Eigen/Core>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Joint torques of a plan by inverse dynamics, one column a sample [N m]. Seat and hands on arm rests exert the plan's
/// shares of the total contact force, at their points; the feet the rest, with the least weighted squares of force and
/// moment. `speed`: 2 plays the plan in half the time.
Eigen::MatrixXd planned_torque(const RobotModel& model, const MotionPlan& plan, double speed);

}  // namespace aplomb
