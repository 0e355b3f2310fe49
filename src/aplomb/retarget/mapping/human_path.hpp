#pragma once

#include <cstddef>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// The rise with index `rise` of a trial, from sitting still to standing still. Throws InvalidValue when the trial has
/// no such rise, or no frame on the seat before it.
HumanPath human_path(const HumanTrial& trial, std::size_t rise);

/// The same path, `factor` times as slow, at the same rate.
HumanPath slowed(const HumanPath& path, double factor);

}  // namespace aplomb
