#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace aplomb {

/// Convex hull of points of a plane, counter-clockwise, without points on its edges.
std::vector<Eigen::Vector2d> convex_hull(std::span<const Eigen::Vector2d> points);

/// The same without allocation: sorts `points` and writes the hull to the beginning of `storage`, which must have room
/// for twice as many points. Returns the number of vertices. Of vertices closer together than `tolerance` one remains.
/// Points that are not finite give a polygon without meaning, never an access outside.
std::size_t convex_hull(std::span<Eigen::Vector2d> points, std::span<Eigen::Vector2d> storage, double tolerance);

/// Signed distance of a point to the boundary of a convex counter-clockwise polygon, positive inside. A polygon of one
/// or two points has no inside. NaN for an empty one.
double signed_distance(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

/// Least signed distance of a point to the lines through the edges of a convex counter-clockwise polygon, positive
/// inside. Inside it equals signed_distance; beyond a corner its magnitude is smaller. −∞ for fewer than two points.
double half_plane_margin(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

/// Nearest point of a convex counter-clockwise polygon, which must not be empty; a point inside is its own.
Eigen::Vector2d nearest_point(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

/// Distance from a point inside a convex counter-clockwise polygon to its boundary along `direction`.
double distance_along(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point,
                      const Eigen::Vector2d& direction);

/// Area of a counter-clockwise polygon.
double polygon_area(std::span<const Eigen::Vector2d> polygon);

}  // namespace aplomb
