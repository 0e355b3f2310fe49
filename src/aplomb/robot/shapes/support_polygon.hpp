#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace aplomb {

/// The convex hull of points of a plane, counter-clockwise, without points on its edges.
std::vector<Eigen::Vector2d> convex_hull(std::span<const Eigen::Vector2d> points);

/// Signed distance of a point to the border of a convex counter-clockwise polygon, positive inside. A polygon of one
/// or two points has no inside. Not a number for an empty one.
double signed_distance(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

}  // namespace aplomb
