#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace aplomb {

/// Convex hull of points of a plane, counter-clockwise, without points on its edges.
std::vector<Eigen::Vector2d> convex_hull(std::span<const Eigen::Vector2d> points);

/// Signed distance of a point to the boundary of a convex counter-clockwise polygon, positive inside. A polygon of one
/// or two points has no inside. NaN for an empty one.
double signed_distance(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

/// Distance from a point inside a convex counter-clockwise polygon to its boundary along `direction`.
double distance_along(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point,
                      const Eigen::Vector2d& direction);

/// Area of a counter-clockwise polygon.
double polygon_area(std::span<const Eigen::Vector2d> polygon);

}  // namespace aplomb
