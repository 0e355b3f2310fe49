#include "aplomb/core/math/polygon.hpp"

#include <algorithm>
#include <limits>

namespace aplomb {
namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double distance_to_segment(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& point) {
  const Eigen::Vector2d edge = b - a;
  const double length_squared = edge.squaredNorm();
  const double along = length_squared > 0.0 ? std::clamp((point - a).dot(edge) / length_squared, 0.0, 1.0) : 0.0;
  return (point - a - along * edge).norm();
}

}  // namespace

std::vector<Eigen::Vector2d> convex_hull(std::span<const Eigen::Vector2d> points) {
  std::vector<Eigen::Vector2d> sorted(points.begin(), points.end());
  std::ranges::sort(sorted,
                    [](const auto& a, const auto& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < 3) return sorted;
  // Andrew's monotone chain: the lower boundary from left to right, then the upper one back.
  std::vector<Eigen::Vector2d> hull;
  const auto add = [&hull](const Eigen::Vector2d& point, std::size_t first) {
    while (hull.size() >= first + 2 && cross(hull.back() - hull[hull.size() - 2], point - hull.back()) <= 0.0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const auto& point : sorted) add(point, 0);
  const std::size_t lower_end = hull.size() - 1;
  for (auto point = sorted.rbegin() + 1; point != sorted.rend(); ++point) add(*point, lower_end);
  hull.pop_back();
  return hull;
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
