#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Puts the hands of a seated robot on arm rests, where the person's wrists are at rest, scaled about the ankles: the
/// arms alone move, to where the lowest point of the hand's collision shapes is there, but beside the thighs. Hands
/// that the person does not rest, and those of a robot without arms, stay. A place out of reach is replaced by the
/// nearest one in reach, and a note says so.
void rest_hands(const RobotModel& robot, const Limbs& limbs, const HumanPath& human, SeatedRobot& seated);

/// What the hands carry of the whole force, left and right, a column a frame: a quarter of the person's largest part
/// while it sits still, all of it at seat-off and for 40 % of the time from then to the release, nothing from the
/// release on; blended with the least jerk.
Eigen::Matrix2Xd hand_share(const HumanPath& human, const SeatedRobot& seated);

/// Moves the ZMP of `plan` to that of what the hands leave to seat and feet:
///   F' = (1 − Σ s) F,   k̇' = k̇ − Σ (x − c) × s F.
void leave_out_hands(const Eigen::Matrix2Xd& share, const SeatedRobot& seated, PlannedForces& plan);

}  // namespace aplomb
