#pragma once

#include <Eigen/Core>

namespace aplomb {

/// A rounded rod of a body: what stands for a limb's shape where limbs may meet.
struct Capsule {
  int body = 0;
  Eigen::Vector3d begin = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  double radius = 0.0;                                                             ///< [m]
};

/// The points of two segments that are closest to each other.
struct ClosestPoints {
  Eigen::Vector3d first = Eigen::Vector3d::Zero(), second = Eigen::Vector3d::Zero();
};
ClosestPoints closest_points(const Eigen::Vector3d& p, const Eigen::Vector3d& p_end, const Eigen::Vector3d& q,
                             const Eigen::Vector3d& q_end);

}  // namespace aplomb
