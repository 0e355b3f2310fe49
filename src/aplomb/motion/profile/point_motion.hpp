#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/com_reference.hpp"

namespace aplomb {

/// Motion of a point relative to its initial position: a circle, or minimum jerk from point to point.
struct PointMotion {
  struct Circle {
    double radius = 0.0;                                ///< [m]; 0: no circle
    Eigen::Vector3d first = Eigen::Vector3d::UnitY();   ///< the circle's centre lies along −first from the start
    Eigen::Vector3d second = Eigen::Vector3d::UnitZ();  ///< direction of the initial velocity
    double period_s = 1.0;
    double begin_s = 0.0;
    double ramp_s = 0.0;  ///< time to reach full speed
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
