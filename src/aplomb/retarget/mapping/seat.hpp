#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// One hand of a robot on an arm rest.
struct RestingHand {
  std::size_t side = 0;                              ///< 0 left, 1 right
  int body = 0;                                      ///< of the hand
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the point that touches, in the body's frame [m]
  Eigen::Vector3d place = Eigen::Vector3d::Zero();   ///< where it is [m]
};

/// A robot on its chair.
struct SeatedRobot {
  RobotState state;           ///< feet flat, their soles' mid-point above the origin
  double chair_height = 0.0;  ///< [m]
  double clearance = 0.0;     ///< of the hip axes above the seat [m]
  bool is_measured = false;   ///< the posture `seated` of the robot's YAML; else made from its geometry
  std::vector<std::string> notes;
  std::vector<RestingHand> hands;  ///< on arm rests

  double hip_height() const { return chair_height + clearance; }
};

/// The posture `seated` of the robot's YAML, or one from its geometry: thighs level, shanks leaned back by 25 degrees
/// (or what the ankles allow), the trunk 3 degrees forward, feet flat. With a `chair_height` the hips are at the height
/// that this chair gives them: by what touches it in that posture (robot/seat_shapes.hpp). Throws InvalidValue when the
/// robot cannot sit so low, and says what it could do.
SeatedRobot sit_down(const RobotModel& robot, const Limbs& limbs, std::optional<double> chair_height);

}  // namespace aplomb
