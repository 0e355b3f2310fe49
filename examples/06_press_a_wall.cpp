// A hand presses against a wall with a given force, without a force sensor.
//   build/examples/06_press_a_wall [NEWTON]
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "aplomb/control/partial_force.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace {

using aplomb::kRight;

int press(double newton) {
  const aplomb::RobotModel robot = aplomb::RobotModel::load("coman");
  const aplomb::RobotState start = robot.posture("hands_out");
  const aplomb::FrameId hand = robot.frame(robot.description().roles.hand[kRight]);
  aplomb::RobotTerms terms(robot, std::vector<aplomb::FrameId>{hand});
  terms.update(start);
  const Eigen::Vector3d hand_at = terms.frame(hand).T_world_frame.translation();
  const Eigen::Vector3d out_of_wall = Eigen::Vector3d::UnitY();

  // Ground and wall are springs with dampers: 2e5 N/m, 1e3 N s/m.
  const aplomb::Surface surface{.friction = 0.5, .spring = aplomb::Spring{2e5, 1e3}};
  aplomb::Simulation simulation(
      robot, {.floor = surface, .walls = {{.position = hand_at, .normal = out_of_wall, .surface = surface}}});
  simulation.start(start);

  aplomb::PartialForce::Settings settings{.com_reference = aplomb::ComReference::hold(terms.com())};
  settings.com_reference.leave_height_free();
  settings.hands[kRight] = aplomb::PartialForce::HandSettings{
      .wall_point = hand_at, .normal = out_of_wall, .force = {.force = newton, .ramp_s = 0.5}};
  aplomb::PartialForce controller(robot, start, settings);

  aplomb::SensorReadings readings;
  while (simulation.time_s() < 2.0) {
    simulation.read(readings);
    simulation.step(controller.step(readings));
  }
  terms.update(simulation.state());
  const Eigen::Matrix3d R_world_hand = terms.frame(hand).T_world_frame.linear();
  const Eigen::Vector3d force = R_world_hand * simulation.hand_wrench()[kRight].force;
  std::printf("asked for %.2f N, the wall feels %.2f N along its normal and %.2f N along itself\n", newton,
              out_of_wall.dot(force), std::hypot(force.x(), force.z()));
  return std::abs(out_of_wall.dot(force) - newton) < 0.1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return press(argc > 1 ? std::stod(argv[1]) : 20.0);
} catch (const std::exception& error) {
  std::fprintf(stderr, "06_press_a_wall: error: %s\n", error.what());
  return 2;
}
