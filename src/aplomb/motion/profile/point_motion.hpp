#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/com_reference.hpp"

namespace aplomb {

/// How a point moves about where it is at the start: a circle, or from point to point with the least jerk.
struct PointMotion {
  struct Circle {
    double radius = 0.0;                                ///< [m]; 0: none
    Eigen::Vector3d first = Eigen::Vector3d::UnitY();   ///< from the start, the circle's centre lies along −first;
    Eigen::Vector3d second = Eigen::Vector3d::UnitZ();  ///< it sets out along this
    double period_s = 1.0;
    double begin_s = 0.0;
    double ramp_s = 0.0;  ///< over which it gets up to speed
  };
  struct Offset {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  };

  Circle circle;
  std::vector<ComReference::Point> points;

  Offset at(double time_s) const;
};

}  // namespace aplomb
