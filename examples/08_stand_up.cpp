// The whole job: a person's rise from a chair becomes a robot's. Recording, centre of mass, masses, plan, rise.
#include <iostream>

#include "aplomb/demonstrator/record.hpp"
#include "aplomb/pipeline/pipeline.hpp"

int main() {
  using namespace aplomb;
  // A recording of your own: read_recording("sts.c3d"). Here the built-in person is recorded.
  const Recording recording = to_recording(record(demonstrate({}), {.marker_noise_m = 0.001}).c3d, "sts.c3d");

  const HumanTrial person = analyse(recording);
  const RobotModel robot = RobotModel::load("sarcos_real");                    // the robot that stands there
  const RobotModel believed = identify(measure_postures(robot), robot.cad());  // what is known of it
  const MotionPlan plan = retarget(person, believed);
  const RunResult rise = stand_up(robot, believed, plan);

  const Metrics& metrics = rise.result.metrics;
  std::cout << "the robot weighs " << robot.mass() << " kg; its CAD says " << robot.cad().mass() << " kg, identified "
            << believed.mass() << " kg\n"
            << "it " << (rise.result.all_checks_hold() ? "stands" : "does not stand") << "; heel margin "
            << 1e3 * metrics.number("heel_margin_min_m").value_or(0.0) << " mm, toe margin "
            << 1e3 * metrics.number("toe_margin_min_m").value_or(0.0) << " mm\n";
  return rise.result.all_checks_hold() ? 0 : 1;
}
