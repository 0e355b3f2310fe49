#pragma once

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

inline bool is_foot(PlateLoad load) {
  return load == PlateLoad::left_foot || load == PlateLoad::right_foot || load == PlateLoad::both_feet;
}

/// Says for each stretch of frames in which a plate is loaded what stands on it, by where its CoP is, weighed with the
/// load: in one sole (4 cm are granted around it), between the soles, or under the hips and thighs of a body that sits.
void tell_loads(PlateTrack& plate, const SegmentMotion& segments, std::vector<std::string>& notes);

}  // namespace aplomb
