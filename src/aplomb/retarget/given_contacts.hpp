#pragma once

#include "aplomb/human/human_trial.hpp"

namespace aplomb {

/// The trial with contacts that were given instead of those that were found in it; its rises follow from the seat's. A
/// foot that is not listed stands all the time. Throws InvalidValue where the schedule contradicts the recording (no
/// contact within it, a person upright on the seat) or a foot is lifted, which cannot be planned.
HumanTrial with_contacts(HumanTrial trial, ContactSchedule schedule);

}  // namespace aplomb
