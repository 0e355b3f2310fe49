#include "aplomb/human/analyse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/human/centroidal_motion.hpp"
#include "aplomb/human/fit/label_faults.hpp"
#include "aplomb/human/fit/marker_errors.hpp"
#include "aplomb/human/fit/marker_track.hpp"
#include "aplomb/human/fit/marker_variance.hpp"
#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/subject/marker_distances.hpp"

namespace aplomb {
namespace {

/// Markers of a recording without their outlying samples.
class CleanMarkers {
 public:
  explicit CleanMarkers(const Points& points) : outliers_(find_outliers(points)), points_(&points) {
    if (outliers_.runs.empty()) return;
    copy_ = without(outliers_, points);
    points_ = &*copy_;
  }
  CleanMarkers(const CleanMarkers&) = delete;

  const Points& points() const { return *points_; }
  const MarkerOutliers& outliers() const { return outliers_; }

 private:
  MarkerOutliers outliers_;
  std::optional<Points> copy_;
  const Points* points_;
};

const Points& markers_of(const Recording& recording) {
  const Points* points = recording.points();
  if (points == nullptr || points->num_frames == 0) {
    throw FileError({recording.file.string()}, "has no markers; a trial is a C3D, TRC or CSV file with markers");
  }
  if (recording.time_fault) throw FileError(*recording.time_fault);
  return *points;
}

SubjectOutcome scaled_subject(const Points& points, const Points* still, const AnalysisOptions& options) {
  SubjectOptions settings{.size = options.size,
                          .sex = options.sex,
                          .height = options.height,
                          .sets = options.marker_sets.empty() ? built_in_marker_sets() : options.marker_sets};
  if (options.mass) settings.mass = *options.mass;
  return build_subject(points, still, settings);
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

/// A fitted trial, and what its judgement needs.
struct FittedTrial {
  TrialAnalysis analysis;
  PlateJudgementOptions settings;
};

FittedTrial fit_markers(const CleanMarkers& markers, const std::filesystem::path& file, const SubjectModel& subject,
                        const TrialOptions& options, const std::function<void(double)>& on_progress) {
  const Points& points = markers.points();
  TrialAnalysis result{.name = file.stem().string(), .subject = subject, .cutoff_hz = options.cutoff_hz};
  result.outliers = markers.outliers();
  result.outlier_lines = outlier_lines(points, result.outliers);
  for (const std::size_t frame : result.outliers.cuts) result.cuts_s.push_back(points.time_s(frame));
  result.missing = missing_markers(points, subject);
  if (subject.markers.size() - result.missing.size() < 6) {
    throw FileError({file.string()},
                    fmt::format("has {} of the subject's {} markers: it is another marker set or another subject's",
                                subject.markers.size() - result.missing.size(), subject.markers.size()));
  }
  const Eigen::Matrix3d R_subject_lab = facing(points, subject);
  const RobotModel robot = human_robot(subject.skeleton);
  result.track = track_markers(points, subject, R_subject_lab);
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
  settings.marker_variance = marker_variance(result.track, subject, SegmentMotion(subject.skeleton, result.fit.motion));
  result.unseen = unseen_segments(result.track, subject);
  settings.T_motion_lab.linear() = R_subject_lab;
  return {std::move(result), std::move(settings)};
}

void adopt(PlateJudgement judgement, TrialAnalysis& analysis) {
  analysis.judgement = std::move(judgement);
  analysis.subject.skeleton = analysis.judgement.skeleton;
}

TrialAnalysis analyse_markers(const CleanMarkers& markers, const std::filesystem::path& file, const ForcePlates& plates,
                              const SubjectModel& subject, const TrialOptions& options,
                              const std::function<void(double)>& on_progress) {
  FittedTrial fitted = fit_markers(markers, file, subject, options, on_progress);
  adopt(judge_by_plates(subject.skeleton, fitted.analysis.fit.motion, plates.plates, fitted.settings), fitted.analysis);
  return std::move(fitted.analysis);
}

TrialAnalysis analyse_recording(const Recording& recording, const AnalysisOptions& options) {
  const CleanMarkers markers(markers_of(recording));
  const ForcePlates& plates = options.plates != nullptr ? *options.plates : recording.forces;
  const TrialOptions settings{
      .cutoff_hz = options.cutoff_hz, .stated_mass = options.mass, .adjusts_masses = options.subject == nullptr};
  const auto analysed = [&](const SubjectModel& subject) {
    return analyse_markers(markers, recording.file, plates, subject, settings, options.on_progress);
  };
  if (options.subject != nullptr) {
    TrialAnalysis analysis = analysed(*options.subject);
    analysis.distances = distance_change(markers.points(), *options.subject);
    return analysis;
  }
  std::optional<CleanMarkers> still;
  if (options.static_trial != nullptr) still.emplace(*options.static_trial);
  SubjectOutcome built = scaled_subject(markers.points(), still ? &still->points() : nullptr, options);
  TrialAnalysis analysis = analysed(built.scaling.subject);
  if (still) analysis.distances = distance_change(markers.points(), still->points(), built.scaling.subject);
  analysis.scaling.emplace(std::move(built));
  return analysis;
}

}  // namespace

TrialAnalysis analyse(const Recording& recording, const AnalysisOptions& options) {
  try {
    return analyse_recording(recording, options);
  } catch (const std::bad_alloc&) {
    throw FileError({recording.file.string()}, "its analysis does not fit into memory");
  }
}

std::vector<TrialAnalysis> analyse_same_person(const std::vector<TrialRecording>& recordings,
                                               const AnalysisOptions& options) {
  if (recordings.empty()) throw InvalidValue("no recordings of the person are given; at least one is needed");
  std::vector<std::unique_ptr<CleanMarkers>> markers;
  for (const TrialRecording& one : recordings)
    markers.push_back(std::make_unique<CleanMarkers>(markers_of(one.motion)));
  std::optional<CleanMarkers> still;
  if (options.static_trial != nullptr) still.emplace(*options.static_trial);
  SubjectOutcome built = scaled_subject(markers.front()->points(), still ? &still->points() : nullptr, options);
  const SubjectModel& subject = built.scaling.subject;
  const TrialOptions settings{.cutoff_hz = options.cutoff_hz, .stated_mass = options.mass};
  std::vector<FittedTrial> fitted;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const auto progress = [&](double done) {
      if (options.on_progress) {
        options.on_progress((static_cast<double>(i) + done) / static_cast<double>(recordings.size()));
      }
    };
    fitted.push_back(fit_markers(*markers[i], recordings[i].motion.file, subject, settings, progress));
  }
  std::vector<PlatedMotion> motions;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    motions.push_back({fitted[i].analysis.fit.motion, recordings[i].plates().plates, fitted[i].settings});
  }
  std::vector<PlateJudgement> judgements = judge_together(subject.skeleton, motions);
  std::vector<TrialAnalysis> analyses;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    adopt(std::move(judgements[i]), fitted[i].analysis);
    fitted[i].analysis.distances = still ? distance_change(markers[i]->points(), still->points(), subject)
                                         : distance_change(markers[i]->points(), subject);
    analyses.push_back(std::move(fitted[i].analysis));
  }
  if (!still) analyses.front().distances.reset();  // the subject was scaled to it
  analyses.front().scaling.emplace(std::move(built));
  return analyses;
}

TrialAnalysis analyse_trial(const Recording& recording, const ForcePlates& plates, const SubjectModel& subject,
                            const TrialOptions& options, const std::function<void(double)>& on_progress) {
  const CleanMarkers markers(markers_of(recording));
  return analyse_markers(markers, recording.file, plates, subject, options, on_progress);
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
  result.contacts = judgement.contacts;
  result.plates_agree = !judgement.has_plates || judgement.verdict.is_accepted;
  result.subject_agrees = !distances || distances->is_same_person();
  result.is_cut = !cuts_s.empty();
  result.verdict = judgement.verdict.text;
  return result;
}

}  // namespace aplomb
