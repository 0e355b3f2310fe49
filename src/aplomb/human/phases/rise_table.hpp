#pragma once

#include <optional>

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"

namespace aplomb {

/// One row per rise, for the biomechanist: times of the phases, peak CoM speeds, peak flexion moments and powers of
/// hips, knees and ankles over body mass, the left foot's fraction of the feet's force and the seat's largest share in
/// the second before seat-off (both from the plates where they tell, else from the motion alone). NaN where something
/// was not measured. A rise starts where the CoM's forward speed passes a tenth of its largest; upright: the CoM within
/// 5 % of its way up. Without plates moments and powers are those of ReactionForces.
Log rise_table(const TrialAnalysis& analysis);

/// Five-times-sit-to-stand time of a rise table: from the start of the first rise until the person sits again after the
/// fifth; none with fewer.
std::optional<double> five_times_sit_to_stand_s(const Log& rises);

}  // namespace aplomb
