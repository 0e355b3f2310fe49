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
  std::vector<MarkerSet> sets;   ///< candidates for the recording's labels
};

struct ScalingOutcome {
  SubjectModel subject;
  double rms_before_m = 0.0, rms_m = 0.0;  ///< marker residuals before and after scaling
  int iterations = 0;
  int frames = 0;
  std::vector<std::string> notes;  ///< sources of uncertainty
};

/// Attachment of a label that no marker set knows.
struct UnknownLabel {
  std::string label;
  std::string segment;         ///< the segment in whose frame it moves least; empty when it was never seen
  double deviation_m = 0.0;    ///< standard deviation of its position there
  std::string second_segment;  ///< the second-best segment
  double second_deviation_m = 0.0;
  bool is_attached = false;  ///< it moves with the first segment, clearly more than with the second
};

struct SubjectOutcome {
  ScalingOutcome scaling;             ///< holds the subject
  LabelMatch match;                   ///< match of the motion's labels
  std::vector<UnknownLabel> unknown;  ///< labels that no set explains, and the segments they move with
};

/// Scales a subject to a recording: matches the labels, guesses the height, scales, attaches unknown labels to the
/// segments they move with and scales again. `still` is a static trial, or nullptr.
/// Throws InvalidValue.
SubjectOutcome build_subject(const Points& motion, const Points* still, const SubjectOptions& options);

}  // namespace aplomb
