// A person stands up; where was the centre of mass, and do the force plates agree?
//   build/examples/03_human [RECORDING.c3d]      without one, a synthetic person is recorded first
#include <cstdio>
#include <exception>

#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/analyse.hpp"

namespace {

aplomb::Recording record_synthetic_person() {
  const aplomb::Demonstration shown = aplomb::demonstrate({.style = "natural"});
  return aplomb::to_recording(aplomb::record(shown, {.marker_noise_m = 0.001}).c3d, "natural");
}

int show(const aplomb::Recording& recording) {
  // A skeleton of the subject's size, its posture in every frame, the centre of mass, and the force plates' verdict.
  const aplomb::TrialAnalysis trial = aplomb::analyse(recording);
  std::printf("%.2f m, %.1f kg, markers within %.1f mm\n%s\n", trial.subject.skeleton.height(),
              trial.subject.skeleton.mass, 1e3 * trial.errors.rms_m, trial.judgement.verdict.text.c_str());
  return trial.judgement.verdict.is_accepted ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return show(argc > 1 ? aplomb::read_recording(argv[1]) : record_synthetic_person());
} catch (const std::exception& error) {
  std::fprintf(stderr, "03_human: error: %s\n", error.what());
  return 2;
}
