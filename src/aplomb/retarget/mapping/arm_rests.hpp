#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Puts the hands of a seated robot on arm rests. The contact point of a hand is the lowest point of its collision
/// shapes; it goes to where the person's wrist is at rest, scaled about the ankles, but beside the thighs. Only the
/// arms move. A hand that the person does not rest on an arm rest, or that the robot lacks, is not placed. A point out
/// of reach is replaced by the nearest one in reach, with a note.
void rest_hands(const RobotModel& robot, const Limbs& limbs, const HumanPath& human, SeatedRobot& seated);

/// Fractions of the total contact force on the left and the right hand, one column per frame: a quarter of the person's
/// peak while the person sits still, the peak at seat-off and for 40 % of the time from then to the release, zero from
/// the release on, with minimum-jerk blends between.
Eigen::Matrix2Xd hand_share(const HumanPath& human, const SeatedRobot& seated);

}  // namespace aplomb
