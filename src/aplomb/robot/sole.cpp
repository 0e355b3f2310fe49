#include "aplomb/robot/sole.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {

std::array<Eigen::Vector3d, 4> Sole::corners() const {
  return {Eigen::Vector3d(x_max, y_max, z), Eigen::Vector3d(x_max, y_min, z), Eigen::Vector3d(x_min, y_max, z),
          Eigen::Vector3d(x_min, y_min, z)};
}

double Sole::margin(double x, double y) const {
  const double inside_x = std::min(x - x_min, x_max - x);
  const double inside_y = std::min(y - y_min, y_max - y);
  if (inside_x >= 0.0 && inside_y >= 0.0) return std::min(inside_x, inside_y);
  return -std::hypot(std::min(inside_x, 0.0), std::min(inside_y, 0.0));
}

}  // namespace aplomb
