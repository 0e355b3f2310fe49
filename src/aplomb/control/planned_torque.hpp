#pragma once

#include <Eigen/Core>

#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The joint torques of a plan by inverse dynamics, one column a sample [N m]: the seat and hands on arm rests do the
/// plan's shares of what all contacts do together, at their points; the feet do the rest, each with as little force and
/// moment as that takes.
/// `speed` is that of the clock.
Eigen::MatrixXd planned_torque(const RobotModel& model, const MotionPlan& plan, double speed);

}  // namespace aplomb
