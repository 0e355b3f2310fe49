#pragma once

#include <vector>

#include "aplomb/human/phases/rises.hpp"

namespace aplomb {

/// An interval with high or with low hips.
struct HipPhase {
  bool is_high = false;
  bool is_seat = false;  ///< low, with the required CoP behind the heels
  FrameRange range;
  FrameRange way_up, way_down;  ///< of a high phase: search ranges of seat-off and seat-on
};

/// Alternating high and low phases of the hips; none when they move by less than 15 % of the leg's length.
std::vector<HipPhase> hip_phases(const SegmentMotion& segments, const CentroidalMotion& body);

/// Whether the CoP that the motion requires is behind the heels for 0.3 s without a break, so that something else
/// carries the body.
bool needs_a_seat(const SegmentMotion& segments, const CentroidalMotion& body, const FrameRange& range);

bool is_low(const SegmentMotion& segments, const FrameRange& range);  ///< hips mostly below 0.8 of a straight leg
bool stands_in(const SegmentMotion& segments,
               const FrameRange& range);  ///< hips rise in it by 10 % of the leg's length

}  // namespace aplomb
