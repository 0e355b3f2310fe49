#pragma once

#include <array>
#include <vector>

#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Six equations that fix a foot as in the posture of `tree`: three directions at one point of its sole, two at a
/// second, one at a third.
std::vector<PointRow> planted_foot(const RobotModel& robot, const TreeKinematics& tree, std::size_t side);

/// Three equations of the centre of mass, x, y, z; initially off.
std::vector<PointRow> com_rows();

/// Pairs of hand and thigh that must not overlap: capsules around their collision shapes. Pairs that overlap in the
/// posture of `tree` already are left out.
std::vector<CapsulePair> hands_and_thighs(const RobotModel& robot, const Limbs& limbs, const TreeKinematics& tree);

/// Pairs of limbs that may run into each other: forearms and hands with thighs, pelvis and trunk, and with those of the
/// other arm; thigh and shank of one leg with those of the other; without pairs that overlap when the robot stands.
std::vector<CapsulePair> pairs_of_limbs(const RobotModel& robot, const Limbs& limbs);

inline constexpr double kPlantedSoftness = 1e-12;  ///< softness of feet, seat and hands: hard
inline constexpr double kComSoftness = 1e-9;       ///< softness of the centre of mass: violated first

}  // namespace aplomb
