#pragma once

#include <string>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// Variance of the CoM by axis and frame that is due to the markers [m²]: skin that moves over the bone (1 cm for each
/// marker, independent of the others), and segments that no marker sees, neither on them nor beyond them. Their joints
/// are kept neutral and may be off by 0.35 rad.
Matrix3Xd marker_variance(const MarkerTrack& track, const SubjectModel& subject, const SegmentMotion& segments);

/// Segments without a marker, on them or beyond them, in more than half of the frames; only the first of each chain.
std::vector<std::string> unseen_segments(const MarkerTrack& track, const SubjectModel& subject);

}  // namespace aplomb
