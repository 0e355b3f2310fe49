// Times the parts of a tick for each of our robots, at random postures or standing:
//   robot_bench [--benchmark_filter=terms]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/all_terms.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr const char* kRobots[] = {"hoap3", "coman", "balancer", "sarcos", "sarcos_real", "sarcos_heavy"};

/// Random states near the half-sitting posture, so that no benchmark sees the same angles in every call.
std::vector<RobotState> varied_states(const RobotModel& robot) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> offset(-0.1, 0.1);
  std::vector<RobotState> states(64, robot.posture("half_sitting"));
  for (RobotState& state : states) {
    for (double& angle : joint_positions(state.q)) angle += offset(random);
    for (double& rate : state.v) rate = offset(random);
  }
  return states;
}

/// Times `update(state)` of RobotTerms or AllTerms (Pinocchio's computeAllTerms) at one state after the other.
template <typename Terms>
void time_terms(benchmark::State& run, const RobotModel& robot, Terms& terms) {
  const std::vector<RobotState> states = varied_states(robot);
  std::size_t i = 0;
  for (auto _ : run) {
    terms.update(states[i]);
    i = (i + 1) % states.size();
  }
}

void all_terms(benchmark::State& run, const std::string& name) {
  const RobotModel robot = RobotModel::load(name);
  AllTerms terms(robot);
  time_terms(run, robot, terms);
}

void robot_terms(benchmark::State& run, const std::string& name) {
  const RobotModel robot = RobotModel::load(name);
  RobotTerms terms(robot, sole_frames(robot));
  time_terms(run, robot, terms);
}

void joint_pd_cycle(benchmark::State& run, const std::string& name) {
  const RobotModel robot = RobotModel::load(name);
  JointPd controller(robot, robot.posture("half_sitting"), {});
  const std::vector<RobotState> states = varied_states(robot);
  SensorReadings readings;
  for (Wrench& wrench : readings.foot_wrench) wrench.force.z() = 0.5 * robot.mass() * kGravity;
  std::size_t i = 0;
  for (auto _ : run) {
    readings.state = states[i];
    benchmark::DoNotOptimize(controller.step(readings).torque.data());
    i = (i + 1) % states.size();
  }
}

void sim_tick(benchmark::State& run, const std::string& name) {
  const RobotModel robot = RobotModel::load(name);
  const RobotState posture = robot.posture("half_sitting");
  Simulation simulation(robot, World{});
  simulation.start(posture);
  JointPd controller(robot, posture, {});
  SensorReadings readings;
  simulation.read(readings);
  const Command command = controller.step(readings);
  for (auto _ : run) simulation.step(command);
}

}  // namespace
}  // namespace aplomb

int main(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  using Function = void (*)(benchmark::State&, const std::string&);
  const std::pair<const char*, Function> cases[] = {{"pinocchio_all_terms", aplomb::all_terms},
                                                    {"robot_terms", aplomb::robot_terms},
                                                    {"cycle_joint_pd", aplomb::joint_pd_cycle},
                                                    {"sim_tick", aplomb::sim_tick}};
  for (const char* robot : aplomb::kRobots) {
    for (const auto& [name, function] : cases) {
      const std::string full_name = std::string(name) + "/" + robot;
      benchmark::RegisterBenchmark(full_name.c_str(), function, std::string(robot))->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "robot_bench: error: %s\n", error.what());
  return 2;
}
