#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/fit/label_faults.hpp"
#include "aplomb/human/fit/marker_errors.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/human/plates/plate_judgement.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

struct TrialOptions {
  double cutoff_hz = 4.0;
  std::optional<double> stated_mass;  ///< [kg]
  bool adjusts_masses = true;         ///< false: an earlier run's masses are judged as they are
};

/// All that `aplomb human` finds out about one trial.
struct TrialAnalysis {
  std::string name;
  SubjectModel subject;  ///< with the masses that the plates gave
  MarkerTrack track;     ///< as measured, swaps undone
  MotionFit fit;         ///< as fitted, not filtered
  MarkerErrors errors;
  std::vector<LabelFault> faults;
  std::vector<std::string> missing;  ///< markers of the subject that the recording lacks
  PlateJudgement judgement;
  double cutoff_hz = 0.0;

  std::optional<SubjectOutcome> scaling;  ///< how the subject was scaled; absent when it was given

  HumanTrial trial() const;  ///< what retargeting needs of it
  // Implicit, so that `HumanTrial person = analyse(recording)` reads as the job does.
  operator HumanTrial() const { return trial(); }
};

/// Fits every frame of a recording with a subject's model and lets `plates` judge (its own, or those of another file
/// that was turned with it, add_forces). Throws InvalidValue when it has no
/// markers, or fewer than six of the subject's.
TrialAnalysis analyse_trial(const Recording& recording, const ForcePlates& plates, const SubjectModel& subject,
                            const TrialOptions& options, const std::function<void(double)>& on_progress = {});

}  // namespace aplomb
