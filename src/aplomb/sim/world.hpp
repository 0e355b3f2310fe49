#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace aplomb {

/// What stands around the robot. The floor is the plane z = 0.
struct World {
  double floor_friction = 0.8;
};

/// A force on a link for a while.
struct Push {
  enum class Frame { world, link };
  enum class Shape { box, half_sine };
  std::string link;  ///< a link's name
  std::optional<Eigen::Vector3d> point_in_link =
      std::nullopt;  ///< where it acts [m]; absent: the link's own centre of mass
  Frame frame = Frame::world;
  Shape shape = Shape::box;
  Eigen::Vector3d peak_force = Eigen::Vector3d::Zero();  ///< [N]
  double start_s = 0.0;
  double duration_s = 0.1;

  Eigen::Vector3d force_at(double time_s) const;  ///< zero outside of its time
};

}  // namespace aplomb
