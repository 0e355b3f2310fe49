#pragma once

#include <cstddef>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// The rise with index `rise` of a trial, from sitting still to standing still. Throws InvalidValue when the trial has
/// no such rise, or no frame on the seat before it.
HumanPath human_path(const HumanTrial& trial, std::size_t rise);

/// Choice of a clip: a rise, a sit-down (each with its index in the trial), or the whole trial.
struct ClipRequest {
  ClipKind kind = ClipKind::rise;
  std::size_t index = 0;
};

/// A clip of a trial:
///   rise      as above;
///   sit_down  from standing still before the seat is taken to sitting still on it; also of a trial without a rise;
///   whole     all frames, with any number of rises and sit-downs, or without a seat: squats, leaning, steps.
/// Throws InvalidValue when the trial has no such rise or sit-down, or too short a time on the seat.
HumanPath human_path(const HumanTrial& trial, const ClipRequest& request);

}  // namespace aplomb
