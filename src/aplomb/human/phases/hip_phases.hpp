#pragma once

#include <vector>

#include "aplomb/human/phases/rises.hpp"

namespace aplomb {

/// A stretch in which the hips are up, or down.
struct HipPhase {
  bool is_high = false;
  bool is_seat = false;  ///< low, and something behind the heels carries
  FrameRange range;
  FrameRange way_up, way_down;  ///< of a high phase: where seat-off and seat-on are looked for
};

/// High and low phases of the hips in turn; none when they move by less than 15 % of the leg's length.
std::vector<HipPhase> hip_phases(const SegmentMotion& segments, const CentroidalMotion& body);

bool is_low(const SegmentMotion& segments, const FrameRange& range);  ///< hips mostly below 0.8 of a straight leg
bool stands_in(const SegmentMotion& segments,
               const FrameRange& range);  ///< hips rise in it by 10 % of the leg's length

}  // namespace aplomb
