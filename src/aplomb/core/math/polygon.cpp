#include "aplomb/core/math/polygon.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace aplomb {
namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Fraction of the way from a to b at which the segment is nearest to a point.
double fraction_along(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& point) {
  const Eigen::Vector2d edge = b - a;
  const double length_squared = edge.squaredNorm();
  return length_squared > 0.0 ? std::clamp((point - a).dot(edge) / length_squared, 0.0, 1.0) : 0.0;
}

double distance_to_segment(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& point) {
  return (point - a - fraction_along(a, b, point) * (b - a)).norm();
}

/// Keeps one of consecutive vertices closer together than `tolerance`; returns how many remain.
std::size_t merge_near_vertices(std::span<Eigen::Vector2d> polygon, double tolerance) {
  const auto is_near = [tolerance](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return (a - b).norm() < tolerance;
  };
  std::size_t count = 0;
  for (const Eigen::Vector2d& vertex : polygon) {
    if (count == 0 || !is_near(vertex, polygon[count - 1])) polygon[count++] = vertex;
  }
  while (count > 1 && is_near(polygon[count - 1], polygon[0])) --count;
  return count;
}

}  // namespace

std::vector<Eigen::Vector2d> convex_hull(std::span<const Eigen::Vector2d> points) {
  std::vector<Eigen::Vector2d> sorted(points.begin(), points.end()), hull(2 * points.size());
  hull.resize(convex_hull(sorted, hull, 0.0));
  return hull;
}

std::size_t convex_hull(std::span<Eigen::Vector2d> points, std::span<Eigen::Vector2d> storage, double tolerance) {
  assert(storage.size() >= 2 * points.size());
  std::ranges::sort(points,
                    [](const auto& a, const auto& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  const auto unique_end = std::unique(points.begin(), points.end());
  const std::span<const Eigen::Vector2d> sorted(points.begin(), unique_end);
  if (sorted.size() < 3) {
    std::ranges::copy(sorted, storage.begin());
    return merge_near_vertices(storage.first(sorted.size()), tolerance);
  }
  // Andrew's monotone chain: the lower boundary from left to right, then the upper one back.
  std::size_t size = 0;
  const auto add = [&](const Eigen::Vector2d& point, std::size_t first) {
    while (size >= first + 2 && cross(storage[size - 1] - storage[size - 2], point - storage[size - 1]) <= 0.0) --size;
    storage[size++] = point;
  };
  for (const auto& point : sorted) add(point, 0);
  const std::size_t lower_end = size - 1;
  for (auto point = sorted.rbegin() + 1; point != sorted.rend(); ++point) add(*point, lower_end);
  return merge_near_vertices(storage.first(size - 1), tolerance);  // the last is the first again
}

double signed_distance(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  if (polygon.empty()) return std::numeric_limits<double>::quiet_NaN();
  double nearest = std::numeric_limits<double>::infinity();
  bool is_inside = polygon.size() >= 3;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d& a = polygon[i];
    const Eigen::Vector2d& b = polygon[(i + 1) % polygon.size()];
    nearest = std::min(nearest, distance_to_segment(a, b, point));
    if (cross(b - a, point - a) < 0.0) is_inside = false;
  }
  return is_inside ? nearest : -nearest;
}

double half_plane_margin(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  if (polygon.size() < 2) return -std::numeric_limits<double>::infinity();
  double margin = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d edge = polygon[(i + 1) % polygon.size()] - polygon[i];
    margin = std::min(margin, cross(edge, point - polygon[i]) / edge.norm());
  }
  return margin;
}

Eigen::Vector2d nearest_point(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  assert(!polygon.empty());
  double least = std::numeric_limits<double>::infinity();
  bool is_inside = polygon.size() >= 3;
  Eigen::Vector2d nearest = point;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d& a = polygon[i];
    const Eigen::Vector2d& b = polygon[(i + 1) % polygon.size()];
    if (cross(b - a, point - a) < 0.0) is_inside = false;
    const Eigen::Vector2d on_edge = a + fraction_along(a, b, point) * (b - a);
    const double distance = (point - on_edge).norm();
    if (distance >= least) continue;
    least = distance;
    nearest = on_edge;
  }
  return is_inside ? point : nearest;
}

double distance_along(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point,
                      const Eigen::Vector2d& direction) {
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d edge = polygon[(i + 1) % polygon.size()] - polygon[i];
    const Eigen::Vector2d outward(edge.y(), -edge.x());
    const double speed = outward.dot(direction);
    if (speed > 0.0) distance = std::min(distance, outward.dot(polygon[i] - point) / speed);
  }
  return distance;
}

double polygon_area(std::span<const Eigen::Vector2d> polygon) {
  double twice = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    twice += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  }
  return 0.5 * twice;
}

}  // namespace aplomb
