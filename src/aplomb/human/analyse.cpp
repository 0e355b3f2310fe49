#include "aplomb/human/analyse.hpp"

#include <utility>

#include "aplomb/core/error.hpp"

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

}  // namespace aplomb
