#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace aplomb {

/// log: the rotation vector (axis times angle, 0 … π) of a rotation matrix [rad]. By way of the quaternion, whose
/// vector part is exact to the last digits near 0, where acos of the trace has lost half of them, and near π, where
/// the matrix's antisymmetric part vanishes.
inline Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  const double sine = q.vec().norm();  // |sin(angle / 2)|
  if (sine == 0.0) return Eigen::Vector3d::Zero();
  const double half_angle = std::atan2(sine, std::abs(q.w()));
  return (q.w() < 0.0 ? -2.0 : 2.0) * half_angle / sine * q.vec();
}

/// exp: the rotation by |turn| about `turn` [rad].
inline Eigen::Matrix3d rotation_by(const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  if (angle == 0.0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

/// The shortest turn that takes one direction into another; any of them where the two are opposite. In rotation.cpp,
/// because Eigen decomposes a matrix for the opposite ones, and compiling that takes longer than most files.
Eigen::Quaterniond turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace aplomb
