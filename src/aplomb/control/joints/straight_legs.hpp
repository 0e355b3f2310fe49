#pragma once

#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Knee of a leg: the joint whose range changes the leg's length most, and its angle when the leg is straight.
struct StraightLeg {
  int joint = 0;
  double angle = 0.0;  ///< [rad]
};

/// Knee of each leg that has a sole and a knee, with the other joints as in `posture`. Takes some milliseconds: for
/// set-up only.
std::vector<StraightLeg> straight_legs(const RobotModel& model, const RobotState& posture);

}  // namespace aplomb
