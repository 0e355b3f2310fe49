#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/marker_set.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

struct SubjectOptions {
  SkeletonSize size = SkeletonSize::light;
  Sex sex = Sex::male;
  double mass = 70.0;            ///< [kg]
  std::optional<double> height;  ///< [m]; from the markers when absent
  std::vector<MarkerSet> sets;   ///< that labels may belong to
};

struct ScalingOutcome {
  SubjectModel subject;
  double rms_before_m = 0.0, rms_m = 0.0;  ///< over the frames used
  int iterations = 0;
  int frames = 0;
  std::vector<std::string> notes;  ///< what is less certain, and why
};

/// What was found of a label that no marker set knows.
struct UnknownLabel {
  std::string label;
  std::string segment;         ///< the segment in whose frame it moves least; empty when it was never seen
  double deviation_m = 0.0;    ///< how much it moves there
  std::string second_segment;  ///< the next best
  double second_deviation_m = 0.0;
  bool is_attached = false;  ///< it moves rigidly with the first, and clearly more with the second
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
