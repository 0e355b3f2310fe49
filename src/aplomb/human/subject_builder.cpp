#include "aplomb/human/subject_builder.hpp"

#include <algorithm>

#include "aplomb/human/fit/attach_markers.hpp"
#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/subject/generic_subject.hpp"
#include "aplomb/human/subject/subject_scaling.hpp"

namespace aplomb {
namespace {

/// The generic body with the markers of both trials.
SubjectModel generic_of_both(const Points& motion, const LabelMatch& match, const Points* still,
                             const LabelMatch& still_match, const SubjectOptions& options, double height) {
  SubjectModel subject = generic_subject(options.size, options.sex, height, options.mass, match, motion.labels);
  if (still == nullptr) return subject;
  const SubjectModel other =
      generic_subject(options.size, options.sex, height, options.mass, still_match, still->labels);
  for (const BodyMarker& marker : other.markers) {
    const bool is_known = std::ranges::any_of(subject.markers, [&](const BodyMarker& known) {
      return plain_label(known.label) == plain_label(marker.label);
    });
    if (!is_known) subject.markers.push_back(marker);
  }
  return subject;
}

class Builder {
 public:
  Builder(const Points& motion, const Points* still, const SubjectOptions& options)
      : motion_(motion), still_(still), options_(options), match_(match_labels(motion, options.sets)) {
    if (still != nullptr) still_match_ = match_labels(*still, options.sets);
    generic_ = generic_of_both(motion_, match_, still_, still_match_, options_, kGenericHeight);
    R_motion_ = facing(motion, generic_);
    if (still != nullptr) R_still_ = facing(*still, generic_);
  }

  SubjectOutcome build() {
    const double height = options_.height ? *options_.height : guessed_height();
    SubjectModel start = generic_of_both(motion_, match_, still_, still_match_, options_, height);
    SubjectOutcome outcome{.scaling = scale(start), .match = match_};
    if (match_.unknown.empty()) return outcome;
    SubjectModel& scaled = outcome.scaling.subject;
    const RobotModel robot = human_robot(scaled.skeleton);
    const MotionFit fit = fit_motion(scaled, robot, track_markers(motion_, scaled, R_motion_));
    const std::size_t known = scaled.markers.size();
    outcome.unknown = attach_markers(motion_, match_.unknown, R_motion_, fit, robot, scaled);
    if (scaled.markers.size() == known) return outcome;
    for (std::size_t i = known; i < scaled.markers.size(); ++i) start.markers.push_back(scaled.markers[i]);
    outcome.scaling = scale(start);
    return outcome;
  }

 private:
  double guessed_height() const {
    return still_ != nullptr ? guess_height(generic_, track_markers(*still_, generic_, R_still_))
                             : guess_height(generic_, track_markers(motion_, generic_, R_motion_));
  }

  ScalingOutcome scale(const SubjectModel& start) const {
    const MarkerTrack motion = track_markers(motion_, start, R_motion_);
    const ScalingSettings settings{.is_height_known = options_.height.has_value()};
    if (still_ == nullptr) return scale_subject(start, nullptr, motion, settings);
    const MarkerTrack still = track_markers(*still_, start, R_still_);
    return scale_subject(start, &still, motion, settings);
  }

  const Points& motion_;
  const Points* still_;
  const SubjectOptions& options_;
  LabelMatch match_, still_match_;
  SubjectModel generic_;
  Eigen::Matrix3d R_motion_ = Eigen::Matrix3d::Identity(), R_still_ = Eigen::Matrix3d::Identity();
};

}  // namespace

SubjectOutcome build_subject(const Points& motion, const Points* still, const SubjectOptions& options) {
  return Builder(motion, still, options).build();
}

}  // namespace aplomb
