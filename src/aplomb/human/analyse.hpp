#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

struct AnalysisOptions {
  std::optional<double> mass;                 ///< as stated [kg]; the force plates overrule it. Absent: 70
  std::optional<double> height;               ///< [m]; absent: from the markers
  Sex sex = Sex::male;                        ///< whose mean mass distribution the model starts from
  SkeletonSize size = SkeletonSize::light;    ///< 47 or 155 coordinates
  double cutoff_hz = 4.0;                     ///< of the zero-phase low-pass, for motion and force plates alike
  std::vector<MarkerSet> marker_sets;         ///< that labels may belong to; empty: the built-in ones
  const Points* static_trial = nullptr;       ///< markers while the subject stands still: a more certain size
  const ForcePlates* plates = nullptr;        ///< of another file, turned with the recording by add_forces
  const SubjectModel* subject = nullptr;      ///< of an earlier analysis: neither size nor masses are fitted again
  std::function<void(double)> on_progress{};  ///< fraction of the frames fitted, 0 ... 1
};

/// A person's motion and centre of mass from markers and force plates: scales a skeleton to the markers, fits it to
/// every frame, and adjusts and judges its mass distribution by the force plates, where there are any.
///   const HumanTrial person = analyse(read_recording("sts.c3d"));
/// Throws FileError when the recording has no markers or too few of the subject's, InvalidValue when no marker set
/// explains its labels.
TrialAnalysis analyse(const Recording& recording, const AnalysisOptions& options = {});

}  // namespace aplomb
