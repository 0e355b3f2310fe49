#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/plate_judgement.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/recording/outliers.hpp"
#include "aplomb/recording/recording.hpp"
#include "aplomb/recording/trial_recording.hpp"

namespace aplomb {

struct TrialOptions {
  double cutoff_hz = 4.0;
  std::optional<double> stated_mass;  ///< [kg]
  bool adjusts_masses = true;         ///< false: the given subject's mass distribution is kept
};

/// Complete analysis of one trial.
struct TrialAnalysis {
  std::string name;
  SubjectModel subject;  ///< with the mass distribution adjusted to the plates
  MarkerTrack track;     ///< measured markers, label swaps corrected
  MotionFit fit;         ///< unfiltered
  MarkerErrors errors;
  std::vector<LabelFault> faults;
  std::vector<std::string> missing;  ///< markers of the subject that the recording lacks
  std::vector<std::string> unseen;   ///< segments that no marker sees: kept neutral, and uncertain
  MarkerOutliers outliers;           ///< samples left out
  std::vector<std::string> outlier_lines;
  std::vector<double> cuts_s;               ///< times at which most markers jump together and stay away
  std::optional<DistanceChange> distances;  ///< against the static trial or the given subject; absent without either
  PlateJudgement judgement;
  double cutoff_hz = 0.0;

  std::optional<SubjectOutcome> scaling;  ///< how the subject was scaled; absent when it was given

  HumanTrial trial() const;  ///< the part that retargeting needs
  // Implicit, so that `HumanTrial person = analyse(recording)` works without a further call.
  operator HumanTrial() const { return trial(); }
};

/// Fits a given subject to every frame of a recording and compares with `plates` (its own, or those of another file
/// after add_forces). Outlying samples of the markers are left out (find_outliers). Throws FileError when it has no
/// markers, fewer than six of the subject's, or a time column with a fault.
TrialAnalysis analyse_trial(const Recording& recording, const ForcePlates& plates, const SubjectModel& subject,
                            const TrialOptions& options, const std::function<void(double)>& on_progress = {});

struct AnalysisOptions {
  std::optional<double> mass;                 ///< stated mass [kg]; the force plates overrule it. Absent: 70
  std::optional<double> height;               ///< [m]; absent: from the markers
  Sex sex = Sex::male;                        ///< selects the mean mass distribution to start from
  SkeletonSize size = SkeletonSize::light;    ///< 47 or 155 coordinates
  double cutoff_hz = 4.0;                     ///< cut-off of the zero-phase low-pass, for motion and plates
  std::vector<MarkerSet> marker_sets;         ///< candidates for the labels; empty: the built-in ones
  const Points* static_trial = nullptr;       ///< markers of quiet standing, for a more accurate scaling
  const ForcePlates* plates = nullptr;        ///< plates of another file, rotated by add_forces
  const SubjectModel* subject = nullptr;      ///< result of an earlier analysis: size and masses are kept
  std::function<void(double)> on_progress{};  ///< fraction of the frames fitted, 0 ... 1
};

/// A person's motion and centre of mass from markers and force plates: scales a skeleton to the markers, fits it to
/// every frame, and adjusts and validates its mass distribution with the force plates, where there are any.
///   const HumanTrial person = analyse(read_recording("sts.c3d"));
/// Throws FileError when the recording has no markers or too few of the subject's, InvalidValue when no marker set
/// explains its labels.
TrialAnalysis analyse(const Recording& recording, const AnalysisOptions& options = {});

/// Several trials of one person: size from the first (and the static trial), one mass distribution for all, adjusted to
/// the plates of all trials that have some. Each of those is judged by the masses that the others give. `plates` and
/// `subject` of the options are not used.
std::vector<TrialAnalysis> analyse_same_person(const std::vector<TrialRecording>& recordings,
                                               const AnalysisOptions& options = {});

}  // namespace aplomb
