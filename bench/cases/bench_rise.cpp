#include <fmt/format.h>

#include <memory>

#include "aplomb/core/error.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/sim/simulation.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

/// A robot on its chair under the controller of a rise that has not begun, with the readings of 0.2 s: feet and seat
/// bear, all contacts of the law have loads. Planned and simulated at the first call.
class SeatedRise {
 public:
  explicit SeatedRise(std::string scenario) : scenario_(std::move(scenario)) {}

  void step() {
    if (!controller_) sit_down();
    controller_->step(readings_[tick_]);
    tick_ = (tick_ + 1) % readings_.size();
  }

 private:
  void sit_down() {
    // A start that is never reached: the plan's first sample is held.
    const std::vector<Override> changes = {{"plan.start_s", "3600"}, {"plan.parameters", "true"}};
    const Scenario scenario = load_scenario(scenario_, changes);
    setup_ = make_setup(scenario, planner_);
    controller_ = make_controller(scenario, setup_);
    Simulation simulation(*setup_.robot, setup_.world, setup_.events);
    simulation.start(setup_.start);
    for (int tick = 0; tick < 200; ++tick) {
      simulation.read(readings_.emplace_back());
      simulation.step(controller_->step(readings_.back()));
    }
  }

  std::string scenario_;
  RisePlanner planner_;
  RunSetup setup_;
  std::unique_ptr<Controller> controller_;
  std::vector<SensorReadings> readings_;
  std::size_t tick_ = 0;
};

}  // namespace

void add_rises(std::vector<BenchCase>& cases) {
  for (const auto& [name, scenario] :
       {std::pair{"cycle_rise", "sit_to_stand_natural"}, std::pair{"cycle_rise_talos", "sit_to_stand_talos"}}) {
    try {
      RobotModel::load(load_scenario(scenario).robot);
    } catch (const FileError& error) {  // its URDF is not installed
      fmt::print(stderr, "{} is left out: {}\n", name, error.what());
      continue;
    }
    const auto rise = std::make_shared<SeatedRise>(scenario);
    cases.push_back({name, [rise] { rise->step(); }});
  }
}

}  // namespace aplomb
