#include "aplomb/robot/support_region.hpp"

#include "aplomb/core/math/polygon.hpp"

namespace aplomb {

std::array<Eigen::Vector2d, 4> ground_corners(const Sole& sole, const Eigen::Isometry3d& T_world_foot) {
  const std::array<Eigen::Vector3d, 4> in_foot = sole.corners();
  std::array<Eigen::Vector2d, 4> corners;
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = (T_world_foot * in_foot[i]).head<2>();
  return corners;
}

SupportRegion::SupportRegion(std::span<const Eigen::Vector2d> contact_points) : polygon_(convex_hull(contact_points)) {}

void SupportRegion::reserve(std::size_t num_points) { polygon_.reserve(2 * num_points); }

void SupportRegion::update(std::span<Eigen::Vector2d> contact_points, double tolerance) {
  polygon_.resize(2 * contact_points.size());
  polygon_.resize(convex_hull(contact_points, polygon_, tolerance));
}

double SupportRegion::signed_distance(const Eigen::Vector2d& point) const {
  return aplomb::signed_distance(polygon_, point);
}

double SupportRegion::half_plane_margin(const Eigen::Vector2d& point) const {
  return aplomb::half_plane_margin(polygon_, point);
}

Eigen::Vector2d SupportRegion::nearest(const Eigen::Vector2d& point) const { return nearest_point(polygon_, point); }

double SupportRegion::distance_along(const Eigen::Vector2d& point, const Eigen::Vector2d& direction) const {
  return aplomb::distance_along(polygon_, point, direction);
}

Eigen::Vector2d SupportRegion::clamp(const Eigen::Vector2d& point, double margin) const {
  // Each iteration moves the point to `margin` inside the most violated edge; with few edges this converges soon.
  Eigen::Vector2d inside = point;
  for (int round = 0; round < 50; ++round) {
    double worst = margin - 1e-9;
    Eigen::Vector2d push = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const Eigen::Vector2d edge = (polygon_[(i + 1) % polygon_.size()] - polygon_[i]).normalized();
      const Eigen::Vector2d inward(-edge.y(), edge.x());
      const double distance = inward.dot(inside - polygon_[i]);
      if (distance >= worst) continue;
      worst = distance;
      push = (margin - distance) * inward;
    }
    if (push.isZero(0.0)) break;
    inside += push;
  }
  return inside;
}

}  // namespace aplomb
