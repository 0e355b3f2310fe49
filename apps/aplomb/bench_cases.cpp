#include "bench_cases.hpp"

#include <memory>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/all_terms.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/statics.hpp"
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
  add_sim(cases);
  return cases;
}

}  // namespace aplomb
