#pragma once

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"

namespace aplomb {

/// One row per rise, for the biomechanist: times of the phases, peak CoM speeds, peak flexion moments and powers of
/// hips, knees and ankles over body mass, the left foot's fraction of the feet's force and the seat's largest share in
/// the second before seat-off (both from the plates where they tell, else from the motion alone). NaN where something
/// was not measured. Upright: the CoM within 5 % of its way up.
Log rise_table(const TrialAnalysis& analysis);

}  // namespace aplomb
