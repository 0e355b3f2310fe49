#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

inline constexpr std::size_t kRowsOfHand = 3;

/// Three equations that keep the point of a hand that touches its arm rest where it is: x, y, z.
std::vector<PointRow> resting_hand(const RestingHand& hand);

/// Those equations `since_s` after the hand has let go (less than 0: it still rests), frame by frame. They become
/// looser and looser, as those of hips do, and the hand comes `lift` [m] above its rest.
void ask_hand(const RestingHand& hand, double since_s, double lift, std::span<PointRow> rows);

/// The same in the clip pass, where it is known where the hand shall be, at `shape`: from its rest it is led there.
void lead_hand(const RestingHand& hand, double since_s, const Eigen::Vector3d& shape, std::span<PointRow> rows);

}  // namespace aplomb
