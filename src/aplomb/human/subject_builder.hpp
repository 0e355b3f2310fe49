#pragma once

#include <optional>
#include <vector>

#include "aplomb/human/fit/attach_markers.hpp"
#include "aplomb/human/subject/subject_scaling.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

struct SubjectOptions {
  SkeletonSize size = SkeletonSize::light;
  Sex sex = Sex::male;
  double mass = 70.0;            ///< [kg]
  std::optional<double> height;  ///< [m]; from the markers when absent
  std::vector<MarkerSet> sets;   ///< that labels may belong to
};

struct SubjectOutcome {
  ScalingOutcome scaling;             ///< the subject is in here
  LabelMatch match;                   ///< of the motion's labels
  std::vector<UnknownLabel> unknown;  ///< labels that no set explains, and where they ride
};

/// From labels to a subject of the right size: names the markers, guesses the height, scales, follows the labels that
/// nobody knows and scales again with those that ride on a segment. `still` is a standing trial, or nullptr.
/// Throws InvalidValue.
SubjectOutcome build_subject(const Points& motion, const Points* still, const SubjectOptions& options);

}  // namespace aplomb
