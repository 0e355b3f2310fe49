#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// What must act on a body from outside so that it moves as it does, one column an instant, in the lab frame (z up).
struct OuterForces {
  Eigen::Matrix3Xd com;           ///< c [m]
  Eigen::Matrix3Xd com_velocity;  ///< ċ [m/s]
  Eigen::Matrix3Xd force;         ///< F = m (c̈ − g) [N]
  Eigen::Matrix3Xd moment;        ///< about the centre of mass: k̇ [N m]

  /// Where the ground's force acts, on the plane z = 0:
  ///   p = (c_x − (c_z F_x + k̇_y) / F_z,  c_y − (c_z F_y − k̇_x) / F_z)
  Eigen::Vector2d zmp(Eigen::Index column) const;
  double vertical_moment(Eigen::Index column) const;  ///< about the ZMP [N m]
  /// Leaves out what acts at `point`, the part `share` of the force: the rest is for others to do.
  void leave_out(Eigen::Index column, double share, const Eigen::Vector3d& point);
};

/// v at every instant, from postures `rate_hz` apart: differences of fourth order over two instants on each side.
/// Before the first and after the last posture the body is taken to be at rest.
Eigen::MatrixXd rates_of(const Eigen::MatrixXd& q, double rate_hz);

/// Newton and Euler for the whole body: the momentum's rate Ȧ v + A v̇ of every instant. `visit` sees the terms of each.
OuterForces outer_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                         const std::function<void(Eigen::Index, const RobotTerms&)>& visit = {});

}  // namespace aplomb
