// A person's rise becomes a robot's: the same centre of mass, the markers as nearly as the joints allow.
//   build/examples/07_retarget [RECORDING [ROBOT]]      without a recording, a synthetic person is recorded first
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace {

std::filesystem::path record_somebody() {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "aplomb_example_rise.c3d";
  aplomb::write_c3d(file, aplomb::record(aplomb::demonstrate({.style = "natural"}), {}).c3d);
  return file;
}

int follow(const std::filesystem::path& file, const std::string& name) {
  // The person: a body of the recording's size, its posture and its centre of mass in every frame.
  const aplomb::Recording recording = aplomb::read_recording(file, {});
  if (recording.points() == nullptr) throw std::runtime_error(file.string() + " has no markers");
  const aplomb::SubjectOutcome built =
      aplomb::build_subject(*recording.points(), nullptr, {.sets = aplomb::built_in_marker_sets()});
  const aplomb::TrialAnalysis person = aplomb::analyse_trial(recording, recording.forces, built.scaling.subject, {});

  // The robot: feet planted, the centre of mass where the person's was, all limits kept.
  const aplomb::RobotModel robot = aplomb::RobotModel::load(name);
  const aplomb::Retargeted rise = aplomb::retarget(person.trial(), robot, {});
  std::printf("%s stands up in %.2f s: markers within %.0f mm, ZMP %.0f mm inside the soles, %d frames infeasible\n",
              robot.name().c_str(), rise.trajectory.end_s() - rise.trajectory.start_s, 1e3 * rise.marker_rms,
              1e3 * rise.zmp_margin_min, rise.infeasible_frames);
  return rise.infeasible_frames == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return follow(argc > 1 ? std::filesystem::path(argv[1]) : record_somebody(), argc > 2 ? argv[2] : "coman");
} catch (const std::exception& error) {
  std::fprintf(stderr, "07_retarget: error: %s\n", error.what());
  return 2;
}
