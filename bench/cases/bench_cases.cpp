#include "cases/bench_cases.hpp"

#include <fmt/format.h>

#include <memory>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/all_terms.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// A robot at rest in its half-sitting posture, shared by the cases that use it.
struct Posed {
  explicit Posed(const std::string& name)
      : robot(RobotModel::load(name)), state(robot.posture("half_sitting")), feet(sole_frames(robot)) {}
  RobotModel robot;
  RobotState state;
  std::vector<FrameId> feet;
};

void add_terms(std::vector<BenchCase>& cases) {
  const auto posed = std::make_shared<Posed>("sarcos");
  const auto all_terms = std::make_shared<AllTerms>(posed->robot);
  cases.push_back({"pinocchio_all_terms", [posed, all_terms] { all_terms->update(posed->state); }});
  const auto terms = std::make_shared<RobotTerms>(posed->robot, posed->feet);
  cases.push_back({"robot_terms", [posed, terms] { terms->update(posed->state); }});
}

void add_joint_pd(std::vector<BenchCase>& cases) {
  const auto posed = std::make_shared<Posed>("sarcos");
  const auto controller = std::make_shared<JointPd>(posed->robot, posed->state, JointPd::Settings{});
  const auto readings = std::make_shared<SensorReadings>();
  readings->state = posed->state;
  cases.push_back({"cycle_joint_pd", [posed, controller, readings] { controller->step(*readings); }});
}

/// Sensor readings of a robot, both feet on the floor, that is pushed for 0.1 s with 0.2 of its weight.
std::vector<SensorReadings> pushed_readings(const Posed& posed, Controller& controller) {
  const Push push{.link = posed.robot.description().roles.trunk,
                  .at = Push::At::robot_com,
                  .peak_force = Eigen::Vector3d(0.2 * kGravity * posed.robot.mass(), 0.0, 0.0),
                  .duration_s = 0.1};
  Simulation simulation(posed.robot, World{}, SimulationEvents{.pushes = {push}});
  simulation.start(posed.state);
  std::vector<SensorReadings> recorded;
  for (int tick = 0; tick < 200; ++tick) {
    simulation.read(recorded.emplace_back());
    simulation.step(controller.step(recorded.back()));
  }
  return recorded;
}

/// Adds a balance controller's tick; omitted when the robot's URDF is not installed.
void add_momentum_balance(std::vector<BenchCase>& cases, const std::string& robot, const std::string& name) {
  std::shared_ptr<Posed> posed;
  try {
    posed = std::make_shared<Posed>(robot);
  } catch (const FileError& error) {
    fmt::print(stderr, "{} is left out: {}\n", name, error.what());
    return;
  }
  RobotTerms terms(posed->robot, {});
  terms.update(posed->state);
  MomentumBalance::Settings settings{.com_reference = ComReference::hold(terms.com())};
  const auto controller = std::make_shared<MomentumBalance>(posed->robot, posed->state, settings);
  const auto readings = std::make_shared<std::vector<SensorReadings>>(pushed_readings(*posed, *controller));
  const auto tick = std::make_shared<std::size_t>(0);
  cases.push_back({name, [posed, controller, readings, tick] {
                     controller->step((*readings)[*tick]);
                     *tick = (*tick + 1) % readings->size();
                   }});
}

/// Adds a tick of the paper's robot, pushed, with its right hand on a wall. Four levels: contacts, limbs, CoM, posture.
void add_partial_force(std::vector<BenchCase>& cases, PartialForce::Law law, const std::string& name) {
  const auto posed = std::make_shared<Posed>("coman");
  const FrameId hand = posed->robot.frame(posed->robot.description().roles.hand[kRight]);
  RobotTerms terms(posed->robot, std::vector<FrameId>{hand});
  terms.update(posed->state);
  PartialForce::Settings settings{.law = law, .com_reference = ComReference::hold(terms.com())};
  settings.hands[kRight] = PartialForce::HandSettings{.wall_point = terms.frame(hand).T_world_frame.translation(),
                                                      .normal = Eigen::Vector3d::UnitY(),
                                                      .force = {.force = 5.0, .start_s = 1.0, .ramp_s = 1.0}};
  const auto controller = std::make_shared<PartialForce>(posed->robot, posed->state, settings);
  const auto readings = std::make_shared<std::vector<SensorReadings>>(pushed_readings(*posed, *controller));
  const auto tick = std::make_shared<std::size_t>(0);
  cases.push_back({name, [posed, controller, readings, tick] {
                     controller->step((*readings)[*tick]);
                     *tick = (*tick + 1) % readings->size();
                   }});
}

void add_sim(std::vector<BenchCase>& cases) {
  const auto posed = std::make_shared<Posed>("sarcos");
  const auto simulation = std::make_shared<Simulation>(posed->robot, World{});
  const auto controller = std::make_shared<JointPd>(posed->robot, posed->state, JointPd::Settings{});
  const auto readings = std::make_shared<SensorReadings>();
  simulation->start(posed->state);
  simulation->read(*readings);
  const auto command = std::make_shared<Command>(controller->step(*readings));
  cases.push_back({"sim_tick", [posed, simulation, command] { simulation->step(*command); }});
}

}  // namespace

std::vector<BenchCase> bench_cases() {
  std::vector<BenchCase> cases;
  add_terms(cases);
  add_solvers(cases);
  add_joint_pd(cases);
  add_task_priority(cases);
  add_estimates(cases);
  add_momentum_balance(cases, "balancer", "cycle_momentum_balance");
  add_momentum_balance(cases, "sarcos", "cycle_momentum_balance_sarcos");
  add_momentum_balance(cases, "talos", "cycle_momentum_balance_talos");
  add_partial_force(cases, PartialForce::Law::bounded, "cycle_partial_force");
  add_partial_force(cases, PartialForce::Law::closed_form, "cycle_partial_force_closed_form");
  add_rises(cases);
  add_human_fits(cases);
  add_retargeting(cases);
  add_sim(cases);
  return cases;
}

}  // namespace aplomb
