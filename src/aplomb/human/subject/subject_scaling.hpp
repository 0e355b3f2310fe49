#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/subject/scale_parameters.hpp"
#include "aplomb/human/subject_builder.hpp"

namespace aplomb {

struct ScalingSettings {
  bool is_height_known = false;  ///< the initial size is from the subject's stated height
  int motion_frames = 40;
  int still_frames = 4;
  int most_iterations = 25;
};

/// Scales a subject to markers: segment scales, joints, marker offsets and the postures of some frames in one
/// least-squares problem,
///   min  Σ |x(π, q_f) − x*|² / σ² + |(π − mean) / deviation|²,   σ = 3 cm √(frames / 65)
/// (errors of neighbouring frames are correlated: σ grows with their number). The postures are eliminated: each is
/// fitted to convergence for every π, with a Gauss-Newton step in π on the reduced problem (variable projection).
/// `still` is a static trial; nullptr without one. Throws InvalidValue when no frame can be used.
ScalingOutcome scale_subject(const SubjectModel& start, const MarkerTrack* still, const MarkerTrack& motion,
                             const ScalingSettings& settings);

/// Initial guess of the body's height from the highest markers over all frames [m].
double guess_height(const SubjectModel& generic, const MarkerTrack& track);

}  // namespace aplomb
