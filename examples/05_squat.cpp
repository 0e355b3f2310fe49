// A position-controlled humanoid squats while its hand draws a circle: a strict hierarchy of tasks, in one page.
//   build/examples/05_squat [ROBOT]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "aplomb/control/task_priority.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace {

int squat(const std::string& name) {
  const aplomb::RobotModel robot = aplomb::RobotModel::load(name);
  const aplomb::RobotState posture = robot.posture("half_sitting");
  aplomb::RobotTerms terms(robot, {});
  terms.update(posture);
  const double height = terms.com().z();

  // The centre of mass goes down and up by 8 % of its height in 4 s. Lengths are relative to the robot's size.
  const double amplitude = 0.04 * height;
  aplomb::TaskPriority::Settings settings{
      .com_reference = aplomb::ComReference::sine(
          terms.com(), /*axis=*/2,
          {.amplitude = amplitude, .period_s = 4.0, .phase = M_PI / 2, .ramp_s = 1.0, .offset = -amplitude},
          /*begin_s=*/0.5)};

  // The right hand follows a circle, with lower priority than joint bounds, feet, centre of mass and an upright trunk.
  aplomb::TaskSpec hand{.kind = aplomb::TaskSpec::Kind::position,
                        .link = robot.description().roles.hand[aplomb::kRight]};
  hand.reference.motion.circle = {.radius = 0.05 * height, .period_s = 3.0, .begin_s = 0.5, .ramp_s = 1.0};
  settings.tasks.push_back(hand);

  aplomb::Simulation simulation(robot, aplomb::World{.floor = {.friction = 0.8}});
  aplomb::TaskPriority controller(robot, posture, settings);
  simulation.start(posture);

  aplomb::SensorReadings readings;
  double worst = 0.0, lowest = height;
  while (simulation.time_s() < 9.0) {
    simulation.read(readings);
    const double wanted = settings.com_reference.at(simulation.time_s(), {}).position.z();
    terms.update(simulation.state());
    worst = std::max(worst, std::abs(terms.com().z() - wanted));
    lowest = std::min(lowest, terms.com().z());
    simulation.step(controller.step(readings));
  }
  std::printf("%s: the centre of mass went down by %.1f mm, at most %.2f mm beside its reference\n",
              robot.name().c_str(), 1e3 * (height - lowest), 1e3 * worst);
  return worst < 2e-3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return squat(argc > 1 ? argv[1] : "hoap3");
} catch (const std::exception& error) {
  std::fprintf(stderr, "05_squat: error: %s\n", error.what());
  return 2;
}
