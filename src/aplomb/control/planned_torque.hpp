#pragma once

#include <Eigen/Core>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Joint torques of a plan by inverse dynamics under its contact wrenches (motion/dynamics/planned_dynamics.hpp), one
/// column per sample [N m]. `speed`: 2 plays the plan in half the time.
Eigen::MatrixXd planned_torque(const RobotModel& model, const MotionPlan& plan, double speed);

/// The joint that comes closest to its torque limit.
struct PeakTorque {
  double ratio = 0.0;  ///< largest |torque| over the joint's limit
  int joint = 0;
};

/// Peak of `torque`, one row per joint [N m]; joints without a limit do not count.
PeakTorque peak_torque(const RobotModel& model, const Eigen::MatrixXd& torque);

}  // namespace aplomb
