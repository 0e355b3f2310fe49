#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

namespace aplomb {

/// Contact rectangle under a foot, in the foot link's frame [m].
struct Sole {
  double x_min = 0.0, x_max = 0.0;  ///< heel, toe
  double y_min = 0.0, y_max = 0.0;  ///< right edge, left edge
  double z = 0.0;                   ///< negative: below the foot's origin

  Eigen::Vector3d centre() const { return {0.5 * (x_min + x_max), 0.5 * (y_min + y_max), z}; }
  std::array<Eigen::Vector3d, 4> corners() const;  ///< front left, front right, rear left, rear right
  /// Corner index of each of four points of the sole's plane; nullopt unless they are the four corners (to 1 µm). For
  /// an empty list it is 0, 1, 2, 3.
  std::optional<std::array<std::size_t, 4>> corner_order(const std::vector<Eigen::Vector2d>& points) const;
  /// Signed distance of the point (x, y) of the sole's plane to the sole's edge: positive inside.
  double margin(double x, double y) const;
};

}  // namespace aplomb
