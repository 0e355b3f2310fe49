#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// What a motion of a robot needs from the ground, one column a posture.
struct PlannedForces {
  Eigen::MatrixXd v, a;  ///< velocities and accelerations, as RobotState::v
  Eigen::Matrix3Xd com, com_velocity, com_acceleration;
  Eigen::Matrix3Xd force;   ///< from all contacts together: m (c̈ − g) [N]
  Eigen::Matrix3Xd moment;  ///< about the centre of mass: k̇ [N m]
  Eigen::Matrix2Xd zmp;     ///< on the floor, z = 0 [m]
};

/// Where on the floor a force acts that has this moment about the centre of mass `com` [m].
Eigen::Vector2d zmp_of(const Eigen::Vector3d& com, const Eigen::Vector3d& force, const Eigen::Vector3d& moment);

/// Derivatives by differences of fourth order; the robot is at rest before the first and after the last posture. With k
/// the angular momentum about the centre of mass,
///   p_x = c_x − (c_z m c̈_x + k̇_y) / (m (g + c̈_z)),   p_y = c_y − (c_z m c̈_y − k̇_x) / (m (g + c̈_z)).
PlannedForces planned_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz);

/// The derivative of sampled signals (rows) by differences of fourth order, at rest before and after.
Eigen::MatrixXd derivative(const Eigen::MatrixXd& samples, double rate_hz);

/// The least shift of the centre of mass that moves the ZMP by `demand`, for a body that moves as one:
///   d − b d″ = demand,   b = c_z / (g + c̈_z),   d = 0 at both ends.
Eigen::VectorXd shift_for_zmp(const Eigen::VectorXd& demand, const Eigen::VectorXd& b, double rate_hz);

/// Of the joints' angles in postures, one column each [rad/s³].
double joint_jerk_rms(const Eigen::MatrixXd& q, double rate_hz);

}  // namespace aplomb
