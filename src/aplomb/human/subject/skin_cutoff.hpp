#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Cut-off of the horizontal CoM at which the motion explains the horizontal plate forces of `windows` best [Hz]: at
/// most `cutoff_hz`, with a prior about kSkinCutoff, which decides where the windows are short. The plates stay at
/// `cutoff_hz`, so that a lower cut-off is no easier comparison: it loses what the body does between the two.
/// Frames with `lost_markers` of pelvis and trunk (empty: none) weigh less.
double skin_cutoff(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                   const std::vector<FrameRange>& windows, const std::vector<int>& lost_markers, double cutoff_hz);

}  // namespace aplomb
