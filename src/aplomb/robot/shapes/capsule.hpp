#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A capsule fixed to a body: simplified collision shape for self-collision.
struct Capsule {
  int body = 0;
  Eigen::Vector3d begin = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  double radius = 0.0;                                                             ///< [m]
};

/// Capsules that approximate the collision shapes of a body; meshes are skipped.
std::vector<Capsule> capsules_of(const RobotModel& robot, int body);

/// The closest points of two segments.
struct ClosestPoints {
  Eigen::Vector3d first = Eigen::Vector3d::Zero(), second = Eigen::Vector3d::Zero();
};
ClosestPoints closest_points(const Eigen::Vector3d& p, const Eigen::Vector3d& p_end, const Eigen::Vector3d& q,
                             const Eigen::Vector3d& q_end);

}  // namespace aplomb
