// A robot stands for five seconds: the library in one page.
//   build/examples/01_stand [ROBOT]
#include <cstdio>
#include <exception>
#include <string>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace {

int stand(const std::string& name) {
  // The robot model, by name or by the path of its URDF; constant from here on.
  const aplomb::RobotModel robot = aplomb::RobotModel::load(name);
  const aplomb::RobotState posture = robot.posture("half_sitting");

  // The simulated world, and the controller.
  aplomb::Simulation simulation(robot, aplomb::World{.floor = {.friction = 0.8}});
  aplomb::JointPd controller(robot, posture, {.gain_scale = 1.0});
  simulation.start(posture);

  // Quantities computed from model and state, here the centre of mass.
  aplomb::RobotTerms terms(robot, {});
  terms.update(simulation.state());
  const Eigen::Vector3d com_at_start = terms.com();

  // The control loop at 1 kHz: read the sensors, compute the command, simulate one tick.
  aplomb::SensorReadings readings;
  while (simulation.time_s() < 5.0) {
    simulation.read(readings);
    simulation.step(controller.step(readings));
  }

  terms.update(simulation.state());
  const double drift = (terms.com() - com_at_start).norm();
  std::printf("%s, %.2f kg: the centre of mass moved %.3f mm in %.1f s\n", robot.name().c_str(), robot.mass(),
              1e3 * drift, simulation.time_s());
  return drift < 5e-3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return stand(argc > 1 ? argv[1] : "coman");
} catch (const std::exception& error) {
  std::fprintf(stderr, "01_stand: error: %s\n", error.what());
  return 2;
}
