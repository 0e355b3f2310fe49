#pragma once

#include <Eigen/Core>
#include <functional>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Zero-moment point on the plane z = 0, from the CoM c, the resultant contact force F and its moment k̇ about the CoM:
///   p = (c_x − (c_z F_x + k̇_y) / F_z,  c_y − (c_z F_y − k̇_x) / F_z)
Eigen::Vector2d zmp_of(const Eigen::Vector3d& com, const Eigen::Vector3d& force, const Eigen::Vector3d& moment);

/// CoM and momentum of a motion, one column per sample, in the world frame.
struct CentroidalMomentum {
  Eigen::Matrix3Xd com;               ///< c [m]
  Eigen::Matrix3Xd angular_momentum;  ///< k about the CoM [kg m²/s]
};
/// Computes it from configurations q and velocities v (as in RobotState), one column per sample.
CentroidalMomentum centroidal_momentum(const RobotModel& robot, const Eigen::MatrixXd& q, const Eigen::MatrixXd& v);

/// CoM motion and the resultant of all contacts, one column per sample, in the world frame (z up).
struct CentroidalDynamics {
  Eigen::Matrix3Xd com;           ///< c [m]
  Eigen::Matrix3Xd com_velocity;  ///< ċ [m/s]
  Eigen::Matrix3Xd force;         ///< F = m (c̈ − g) [N]
  Eigen::Matrix3Xd moment;        ///< moment about the CoM: k̇ [N m]

  Eigen::Vector2d zmp_at(Eigen::Index sample) const;  ///< ZMP on the plane z = 0 [m]
  double vertical_moment(Eigen::Index sample) const;  ///< moment about the vertical axis through the ZMP [N m]
  /// Subtracts a contact at `point` that carries the fraction `share` of the resultant force.
  void remove_contact(Eigen::Index sample, double share, const Eigen::Vector3d& point);
};
/// Computes it from the momentum rate A v̇ + Ȧ v of every sample. `visit` is called with the terms of each sample.
CentroidalDynamics centroidal_dynamics(const RobotModel& robot, const Eigen::MatrixXd& q, const Eigen::MatrixXd& v,
                                       const Eigen::MatrixXd& a,
                                       const std::function<void(Eigen::Index, const RobotTerms&)>& visit = {});

/// Derivative of sampled signals (rows) by fourth-order central differences; the signals are taken as constant before
/// the first and after the last sample.
Eigen::MatrixXd derivative(const Eigen::MatrixXd& samples, double rate_hz);
/// Velocities v of sampled configurations, by the same differences.
Eigen::MatrixXd velocities_at_rest_ends(const Eigen::MatrixXd& q, double rate_hz);

}  // namespace aplomb
