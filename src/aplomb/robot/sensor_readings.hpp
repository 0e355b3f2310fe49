#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// Left or right; indexes every pair of feet or hands.
enum Side : int { kLeft = 0, kRight = 1 };

/// A force and a moment. Which frame, and about which point, is said where it is used.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
};

/// All that a controller gets to see, once a tick.
struct SensorReadings {
  double time_s = 0.0;
  RobotState state;  ///< joints from encoders, base pose and twist as from motion capture
  /// What the ground does to each foot, in the foot's frame about the foot's origin.
  std::array<Wrench, 2> foot_wrench;
};

}  // namespace aplomb
