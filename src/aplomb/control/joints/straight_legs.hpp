#pragma once

#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The knee of a leg: the joint that changes its length most, and the angle at which the leg is longest.
struct StraightLeg {
  int joint = 0;
  double angle = 0.0;  ///< [rad]
};

/// One for each sole, the other joints being as in `posture`. For set-up: takes some milliseconds.
std::vector<StraightLeg> straight_legs(const RobotModel& model, const RobotState& posture);

}  // namespace aplomb
