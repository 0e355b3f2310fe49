#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

inline constexpr std::size_t kRowsOfHand = 3;

/// Three equations that fix the contact point of a hand on its arm rest: x, y, z.
std::vector<PointRow> resting_hand(const RestingHand& hand);

/// Sets these equations for a frame `since_s` after the release (negative: before it). After the release they soften
/// gradually, as those of the hips do, and the hand is lifted by `lift` [m].
void ask_hand(const RestingHand& hand, double since_s, double lift, std::span<PointRow> rows);

}  // namespace aplomb
