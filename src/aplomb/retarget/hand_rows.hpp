#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aplomb/retarget/posture_solver.hpp"
#include "aplomb/retarget/seat.hpp"

namespace aplomb {

inline constexpr std::size_t kRowsOfHand = 3;

/// Three equations that keep the point of a hand that touches its arm rest where it is: x, y, z.
std::vector<PointRow> resting_hand(const RestingHand& hand);

/// Those equations `since_s` after the hand has let go (less than 0: it still rests). They become looser and looser, as
/// those of hips do, and the hand comes `lift` [m] above its rest.
void ask_hand(const RestingHand& hand, double since_s, double lift, std::span<PointRow> rows);

}  // namespace aplomb
