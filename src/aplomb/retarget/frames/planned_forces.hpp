#pragma once

#include <Eigen/Core>

#include "aplomb/motion/centroidal_dynamics.hpp"

namespace aplomb {

/// Motion of a robot and the contact resultant that it needs, one column per sample.
struct PlannedForces : CentroidalDynamics {
  Eigen::MatrixXd v, a;  ///< velocities and accelerations, as RobotState::v
  Eigen::Matrix3Xd com_acceleration;
  Eigen::Matrix2Xd zmp;  ///< on the floor, z = 0 [m]
};

/// Derivatives of postures, CoM and angular momentum by fourth-order differences; the robot is at rest before the first
/// and after the last posture.
PlannedForces planned_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz);

/// RMS jerk of the joint angles of postures, one column each [rad/s³].
double joint_jerk_rms(const Eigen::MatrixXd& q, double rate_hz);

}  // namespace aplomb
