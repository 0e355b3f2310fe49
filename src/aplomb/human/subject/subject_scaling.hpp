#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/subject/scale_parameters.hpp"
#include "aplomb/human/subject_builder.hpp"

namespace aplomb {

struct ScalingSettings {
  bool is_height_known = false;  ///< the start's size then is the subject's
  int motion_frames = 40;
  int still_frames = 4;
  int most_iterations = 25;
};

/// A subject's size from markers: segment scales, joints, marker offsets and the postures of some frames in one
/// least-squares problem,
///   min  Σ |x(π, q_f) − x*|² / σ² + |(π − mean) / deviation|²,   σ = 3 cm √(frames / 65)
/// (errors of neighbouring frames are alike: more frames are not as much more evidence). The postures are eliminated:
/// each is fitted to the end for every π, and the step in π is Gauss-Newton's on what is left (variable projection).
/// `still` is a trial in which the subject stands; nullptr without one. Throws InvalidValue when no frame can be used.
ScalingOutcome scale_subject(const SubjectModel& start, const MarkerTrack* still, const MarkerTrack& motion,
                             const ScalingSettings& settings);

/// A first guess of the body's height from how high the markers reach in the highest of the frames [m].
double guess_height(const SubjectModel& generic, const MarkerTrack& track);

}  // namespace aplomb
