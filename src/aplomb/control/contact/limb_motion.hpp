#pragma once

#include <Eigen/Geometry>

#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Motion of a point of a link, in given axes: rows of J and J̇ v, linear then angular.
struct PointRows {
  explicit PointRows(int nv) : jacobian(Matrix6Xd::Zero(6, nv)) {}
  /// `point`: in the world. Never allocates.
  void write(const FrameTerms& frame, const Eigen::Vector3d& point, const Eigen::Matrix3d& R_world_axes);

  Matrix6Xd jacobian;
  Vector6d bias = Vector6d::Zero();
  Vector6d velocity = Vector6d::Zero();
};

/// Rotation vector that turns `from` into `to`, world axes [rad].
Eigen::Vector3d rotation_between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to);

}  // namespace aplomb
