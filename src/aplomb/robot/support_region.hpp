#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "aplomb/robot/shapes/sole.hpp"

namespace aplomb {

/// Corners of a sole in the world, seen from above: x, y [m].
std::array<Eigen::Vector2d, 4> ground_corners(const Sole& sole, const Eigen::Isometry3d& T_world_foot);

/// Support region on level ground: the convex hull of the contact points, seen from above.
class SupportRegion {
 public:
  SupportRegion() = default;  ///< empty
  explicit SupportRegion(std::span<const Eigen::Vector2d> contact_points);

  void reserve(std::size_t num_points);  ///< so that `update` with up to as many points does not allocate
  /// Replaces the region by that of `contact_points`, which are reordered. Of corners closer together than `tolerance`
  /// one remains [m].
  void update(std::span<Eigen::Vector2d> contact_points, double tolerance);

  bool is_empty() const { return polygon_.empty(); }
  const std::vector<Eigen::Vector2d>& polygon() const { return polygon_; }  ///< counter-clockwise [m]
  /// Signed distance of a point to the boundary, positive inside; NaN when the region is empty [m].
  double signed_distance(const Eigen::Vector2d& point) const;
  /// Least signed distance to the lines through the edges, positive inside; beyond a corner closer to zero than
  /// `signed_distance`. −∞ when the region is empty [m].
  double half_plane_margin(const Eigen::Vector2d& point) const;
  /// Nearest point of the region, which must not be empty; a point inside is its own [m].
  Eigen::Vector2d nearest(const Eigen::Vector2d& point) const;
  /// Distance from a point of the region to the boundary along a unit vector [m].
  double distance_along(const Eigen::Vector2d& point, const Eigen::Vector2d& direction) const;
  /// Moves a point inward until it is at least `margin` from every edge; unchanged when it is already [m].
  Eigen::Vector2d clamp(const Eigen::Vector2d& point, double margin) const;

 private:
  std::vector<Eigen::Vector2d> polygon_;
};

}  // namespace aplomb
