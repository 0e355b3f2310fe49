#include "aplomb/robot/shapes/sole.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {

std::array<Eigen::Vector3d, 4> Sole::corners() const {
  return {Eigen::Vector3d(x_max, y_max, z), Eigen::Vector3d(x_max, y_min, z), Eigen::Vector3d(x_min, y_max, z),
          Eigen::Vector3d(x_min, y_min, z)};
}

std::optional<std::array<std::size_t, 4>> Sole::corner_order(const std::vector<Eigen::Vector2d>& points) const {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  if (points.empty()) return order;
  if (points.size() != order.size()) return {};
  const std::array<Eigen::Vector3d, 4> all = corners();
  const auto is_at = [&](std::size_t corner, std::size_t point) {
    return (all[corner].head<2>() - points[point]).norm() < 1e-6;
  };
  for (std::size_t point = 0; point < order.size(); ++point) {
    // order[point ...] holds the corners that are not yet assigned to a point.
    const auto found = std::find_if(order.begin() + static_cast<std::ptrdiff_t>(point), order.end(),
                                    [&](std::size_t corner) { return is_at(corner, point); });
    if (found == order.end()) return {};
    std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(point), found);
  }
  return order;
}

double Sole::margin(double x, double y) const {
  const double inside_x = std::min(x - x_min, x_max - x);
  const double inside_y = std::min(y - y_min, y_max - y);
  if (inside_x >= 0.0 && inside_y >= 0.0) return std::min(inside_x, inside_y);
  return -std::hypot(std::min(inside_x, 0.0), std::min(inside_y, 0.0));
}

}  // namespace aplomb
