#pragma once

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

inline bool is_foot(PlateLoad load) {
  return load == PlateLoad::left_foot || load == PlateLoad::right_foot || load == PlateLoad::both_feet;
}

/// Assigns a load to each interval in which a plate is loaded, by its load-weighted CoP: within one sole (margin 4 cm),
/// between the soles, at a palm, or under the hips and thighs of a sitting body.
void tell_loads(PlateTrack& plate, const SegmentMotion& segments, std::vector<std::string>& notes);

}  // namespace aplomb
