#pragma once

#include <array>
#include <vector>

#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Six equations that keep a foot where it is in the posture of `tree`: three directions at one point of its sole, two
/// at a second, one at a third.
std::vector<PointRow> planted_foot(const RobotModel& robot, const TreeKinematics& tree, std::size_t side);

/// Three equations for the centre of mass, x, y, z; switched off.
std::vector<PointRow> com_rows();

/// The pairs of hand and thigh that could meet: capsules around their collision shapes. Pairs that
/// already overlap in the posture of `tree` are left out, since they are made so.
std::vector<CapsulePair> hands_and_thighs(const RobotModel& robot, const Limbs& limbs, const TreeKinematics& tree);

inline constexpr double kPlantedSoftness = 1e-12;  ///< of feet and seat
inline constexpr double kComSoftness = 1e-9;       ///< the centre of mass gives way first

}  // namespace aplomb
