// A person stands up; where was the centre of mass, and do the force plates agree?
//   build/examples/03_human [RECORDING.c3d]      without one, a synthetic person is recorded first
#include <cstdio>
#include <exception>
#include <filesystem>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"

namespace {

std::filesystem::path record_somebody() {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "aplomb_example_natural.c3d";
  const aplomb::Demonstration shown = aplomb::demonstrate({.style = "natural"});
  aplomb::write_c3d(file, aplomb::record(shown, {.marker_noise_m = 0.001}).c3d);
  return file;
}

int analyse(const std::filesystem::path& file) {
  // What the laboratory hands over: markers and force plates.
  const aplomb::Recording recording = aplomb::read_recording(file, {});
  if (recording.points() == nullptr) throw std::runtime_error(file.string() + " has no markers");

  // A body of the subject's size, from the labels and the motion.
  const aplomb::SubjectOutcome built =
      aplomb::build_subject(*recording.points(), nullptr, {.sets = aplomb::built_in_marker_sets()});

  // The posture of every frame, the centre of mass, and the plates' judgement.
  const aplomb::TrialAnalysis trial =
      aplomb::analyse_trial(recording, recording.forces, built.scaling.subject, {.cutoff_hz = 4.0});
  std::printf("%.2f m, %.1f kg, markers within %.1f mm\n%s\n", trial.subject.skeleton.height(),
              trial.subject.skeleton.mass, 1e3 * trial.errors.rms_m, trial.judgement.verdict.text.c_str());
  return trial.judgement.verdict.is_accepted ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return analyse(argc > 1 ? std::filesystem::path(argv[1]) : record_somebody());
} catch (const std::exception& error) {
  std::fprintf(stderr, "03_human: error: %s\n", error.what());
  return 2;
}
