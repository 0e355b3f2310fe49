#include "aplomb/scenario/run_scenario.hpp"

#include <fmt/format.h>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/setup/load_robots.hpp"
#include "aplomb/scenario/setup/make_controller.hpp"

namespace aplomb {
namespace {

/// Ground that turns slippery, and walls that are not where the controller believes them to be.
std::vector<Fault> world_faults(const Scenario& scenario) {
  std::vector<Fault> faults;
  constexpr const char* kGround[] = {"left_ground", "right_ground", "ground"};
  for (const FrictionChange& change : scenario.friction_changes) {
    if (change.friction >= scenario.world.floor.friction) continue;
    faults.push_back({.name = fmt::format("{}_slippery", kGround[change.side.value_or(2)]),
                      .start_s = change.start_s,
                      .fallback = "none: friction is not measured"});
  }
  for (std::size_t i = 0; i < scenario.world.walls.size(); ++i) {
    const Wall& there = scenario.world.walls[i];
    const Wall& believed = scenario.believed_world.walls[i];
    if (there.position == believed.position && there.distance == believed.distance && there.normal == believed.normal) {
      continue;
    }
    faults.push_back(
        {.name = fmt::format("wall_{}_misplaced", i), .fallback = "none: the controller finds out by touching it"});
  }
  return faults;
}

}  // namespace

void check_start(const Scenario& scenario, const RobotModel& robot) {
  check_start(scenario.start, robot, [&scenario](std::string_view key) { return scenario.place(key); });
}

Start make_start(const Scenario& scenario, const RobotModel& robot, const MotionPlan* plan) {
  return make_start(scenario.start, scenario.world, robot, plan,
                    [&scenario](std::string_view key) { return scenario.place(key); });
}

std::shared_ptr<const RisePlan> plan_rise(const Scenario& scenario, RisePlanner& planner) {
  if (!scenario.plan.is_asked) return nullptr;
  const std::shared_ptr<const RobotModel> plant = load_plant(scenario, planner);
  return planner.plan({.plan = scenario.plan,
                       .robot = scenario.robot,
                       .robot_model = scenario.robot_model,
                       .base = load_believed(scenario, *plant, planner),
                       .chair = scenario.believed_world.chair,
                       .place_of = [&scenario](std::string_view key) { return scenario.place(key); }});
}

RunSetup make_setup(const Scenario& scenario, RisePlanner& planner) {
  RunSetup setup;
  setup.robot = load_plant(scenario, planner);
  const std::shared_ptr<const RisePlan> rise = plan_rise(scenario, planner);
  setup.believed = rise ? rise->believed : load_believed(scenario, *setup.robot, planner);
  if (rise) setup.plan = rise->motion;
  Start start = make_start(scenario, *setup.robot, setup.plan.get());
  setup.start = std::move(start.state);
  setup.world = std::move(start.world);
  FittedEvents events = fit_events(scenario, *setup.robot);
  setup.events = std::move(events.events);
  setup.payload_link = events.payload_link;
  setup.sensors = scenario.sensors;
  setup.sensor_faults = scenario.sensor_faults;
  setup.drive_delay_s = scenario.plant.drive_delay_s;
  setup.com = scenario.com_reference;
  setup.hand_forces = scenario.hand_forces;
  setup.plan_speed = scenario.plan.speed;
  setup.plan_start_s = scenario.plan.start_s;
  setup.has_task_metrics = find_controller_kind(scenario.controller.kind).regulates_zmp;
  setup.duration_s = scenario.duration_s;
  setup.seed = scenario.seed;
  setup.world_faults = world_faults(scenario);
  setup.notes = std::move(events.notes);
  if (!rise) return setup;
  setup.notes.insert(setup.notes.end(), rise->notes.begin(), rise->notes.end());
  if (!rise->retargeted) return setup;
  setup.plan_metrics.set("slowdown", rise->retargeted->slowdown);
  setup.plan_metrics.set("com_target_shift_max_m", rise->retargeted->com_target_shift_max);
  if (std::string note = torque_note(*setup.believed, *setup.plan, setup.plan_speed); !note.empty()) {
    setup.notes.push_back(std::move(note));
  }
  return setup;
}

RunResult run_scenario(const Scenario& scenario, const std::function<void(double)>& on_progress, RisePlanner* planner) {
  RisePlanner own;
  RunSetup setup = make_setup(scenario, planner != nullptr ? *planner : own);
  const std::unique_ptr<Controller> controller =
      make_controller(scenario, *setup.believed, setup.start, setup.notes, setup.plan);
  RunResult output = run(setup, *controller, on_progress);
  output.result.scenario = scenario.name;
  output.result.provenance.scenario_sha256 = sha256(scenario.text);
  output.notes.insert(output.notes.begin(), scenario.notes.begin(), scenario.notes.end());
  judge_run(output.result, scenario.checks);
  return output;
}

}  // namespace aplomb
