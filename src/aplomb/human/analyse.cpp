#include "aplomb/human/analyse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/human/centroidal_motion.hpp"
#include "aplomb/human/fit/label_faults.hpp"
#include "aplomb/human/fit/marker_errors.hpp"
#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

SubjectOutcome scaled_subject(const Recording& recording, const AnalysisOptions& options) {
  const Points* points = recording.points();
  if (points == nullptr) {
    throw FileError({recording.file.string()}, "has no markers; a trial is a C3D, TRC or CSV file with markers");
  }
  SubjectOptions settings{.size = options.size,
                          .sex = options.sex,
                          .height = options.height,
                          .sets = options.marker_sets.empty() ? built_in_marker_sets() : options.marker_sets};
  if (options.mass) settings.mass = *options.mass;
  return build_subject(*points, options.static_trial, settings);
}

std::vector<std::string> missing_markers(const Points& points, const SubjectModel& subject) {
  std::vector<std::string> missing;
  for (const BodyMarker& marker : subject.markers) {
    const bool is_there = std::ranges::any_of(
        points.labels, [&](const std::string& label) { return plain_label(label) == plain_label(marker.label); });
    if (!is_there) missing.push_back(marker.label);
  }
  return missing;
}

}  // namespace

TrialAnalysis analyse(const Recording& recording, const AnalysisOptions& options) {
  const ForcePlates& plates = options.plates != nullptr ? *options.plates : recording.forces;
  const TrialOptions settings{
      .cutoff_hz = options.cutoff_hz, .stated_mass = options.mass, .adjusts_masses = options.subject == nullptr};
  if (options.subject != nullptr) {
    return analyse_trial(recording, plates, *options.subject, settings, options.on_progress);
  }
  SubjectOutcome built = scaled_subject(recording, options);
  TrialAnalysis analysis = analyse_trial(recording, plates, built.scaling.subject, settings, options.on_progress);
  analysis.scaling.emplace(std::move(built));
  return analysis;
}

TrialAnalysis analyse_trial(const Recording& recording, const ForcePlates& plates, const SubjectModel& subject,
                            const TrialOptions& options, const std::function<void(double)>& on_progress) {
  const Points* points = recording.points();
  if (points == nullptr || points->num_frames == 0) {
    throw FileError({recording.file.string()}, "has no markers; a trial is a C3D, TRC or CSV file with markers");
  }
  TrialAnalysis result{.name = recording.file.stem().string(), .subject = subject, .cutoff_hz = options.cutoff_hz};
  result.missing = missing_markers(*points, subject);
  if (subject.markers.size() - result.missing.size() < 6) {
    throw FileError({recording.file.string()},
                    fmt::format("has {} of the subject's {} markers: it is another marker set or another subject's",
                                subject.markers.size() - result.missing.size(), subject.markers.size()));
  }
  const Eigen::Matrix3d R_subject_lab = facing(*points, subject);
  const RobotModel robot = human_robot(subject.skeleton);
  result.track = track_markers(*points, subject, R_subject_lab);
  fade_at_gaps(result.track);
  result.fit = fit_motion(subject, robot, result.track, on_progress);
  result.faults = find_label_faults(subject, robot, result.track, result.fit);
  if (std::ranges::any_of(result.faults, [](const LabelFault& fault) { return !fault.other.empty(); })) {
    undo_swaps(result.faults, subject, result.track);
    result.fit = fit_motion(subject, robot, result.track, on_progress);
  }
  result.errors = marker_errors(subject, result.fit);
  PlateJudgementOptions settings{
      .cutoff_hz = options.cutoff_hz, .stated_mass = options.stated_mass, .adjusts_masses = options.adjusts_masses};
  settings.lost_markers = lost_trunk_markers(result.track, subject);
  settings.T_motion_lab.linear() = R_subject_lab;
  result.judgement = judge_by_plates(subject.skeleton, result.fit.motion, plates.plates, settings);
  result.subject.skeleton = result.judgement.skeleton;
  return result;
}

HumanTrial TrialAnalysis::trial() const {
  HumanTrial result{.name = name, .subject = subject, .motion = fit.motion, .cutoff_hz = cutoff_hz};
  result.marker_rms = errors.rms_m;
  result.motion.q = smooth_motion(fit.motion, cutoff_hz).q;
  for (const Rise& rise : judgement.rises.rises) {
    if (!rise.seat_off_s) continue;
    result.rises.push_back(
        {*rise.seat_off_s, rise.seat_on_s.value_or(std::numeric_limits<double>::infinity()), rise.hands});
  }
  result.plates_agree = judgement.windows.empty() || judgement.verdict.is_accepted;
  result.verdict = judgement.verdict.text;
  return result;
}

}  // namespace aplomb
