// Maps a person's rise to a robot: the same CoM path, the markers as closely as the joints allow.
//   build/examples/07_retarget [RECORDING [ROBOT]]      without a recording, a synthetic person is recorded first
#include <cstdio>
#include <exception>
#include <string>

#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace {

aplomb::Recording record_synthetic_person() {
  return aplomb::to_recording(aplomb::record(aplomb::demonstrate({.style = "natural"}), {}).c3d, "natural");
}

int follow(const aplomb::Recording& recording, const std::string& name) {
  // The person: a body of the recording's size, its posture and its centre of mass in every frame.
  const aplomb::HumanTrial person = aplomb::analyse(recording);

  // The robot: feet planted, the person's CoM path, all limits satisfied.
  const aplomb::RobotModel robot = aplomb::RobotModel::load(name);
  const aplomb::Retargeted rise = aplomb::retarget(person, robot, {});
  std::printf("%s stands up in %.2f s: markers within %.0f mm, ZMP %.0f mm inside the soles, %d frames infeasible\n",
              robot.name().c_str(), rise.trajectory.end_s() - rise.trajectory.start_s, 1e3 * rise.marker_rms,
              1e3 * rise.zmp_margin_min, rise.infeasible_frames);
  return rise.infeasible_frames == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return follow(argc > 1 ? aplomb::read_recording(argv[1]) : record_synthetic_person(), argc > 2 ? argv[2] : "coman");
} catch (const std::exception& error) {
  std::fprintf(stderr, "07_retarget: error: %s\n", error.what());
  return 2;
}
