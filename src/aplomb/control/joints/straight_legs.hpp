#pragma once

#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Knee of a leg: the joint whose range changes the leg's length most, and its angle when the leg is straight.
struct StraightLeg {
  int joint = 0;
  double angle = 0.0;  ///< [rad]
};

/// One for each sole, with the other joints as in `posture`. For set-up: takes some milliseconds.
std::vector<StraightLeg> straight_legs(const RobotModel& model, const RobotState& posture);

}  // namespace aplomb
