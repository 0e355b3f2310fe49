#include "aplomb/scenario/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/run/com_by_masses.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/run_with_controller.hpp"
#include "aplomb/scenario/setup/load_robots.hpp"
#include "aplomb/scenario/setup/make_controller.hpp"
#include "aplomb/scenario/setup/plan_metrics.hpp"

namespace aplomb {
namespace {

bool is_at_same_place(const Wall& a, const Wall& b) {
  return a.position == b.position && a.touches == b.touches && a.distance == b.distance && a.normal == b.normal;
}

/// How the walls of the world differ from the believed ones, item by item. `--set` changes the world alone: a wall that
/// it adds is unknown to the controller, one that it removes is missing where the controller believes it to be.
void add_wall_faults(const std::vector<Wall>& there, const std::vector<Wall>& believed, std::vector<Fault>& faults) {
  for (std::size_t i = 0; i < std::max(there.size(), believed.size()); ++i) {
    const bool is_unknown = i >= believed.size(), is_missing = i >= there.size();
    if (!is_unknown && !is_missing && is_at_same_place(there[i], believed[i])) continue;
    faults.push_back({.name = fmt::format("wall_{}_{}", i,
                                          is_unknown   ? "unknown"
                                          : is_missing ? "missing"
                                                       : "misplaced"),
                      .fallback = is_unknown ? "none: the controller does not know the wall"
                                             : "none: the controller finds out by touching it"});
  }
}

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
  add_wall_faults(scenario.world.walls, scenario.believed_world.walls, faults);
  return faults;
}

/// A rise is planned for a chair, and one that only `--set` adds is not believed in.
void require_chair(const Scenario& scenario) {
  if (scenario.believed_world.chair || !scenario.plan.trajectory.empty()) return;
  throw FileError(scenario.place("plan"),
                  fmt::format("plan: a rise needs a chair to rise from, and {}; write world.chair.height_m into the "
                              "scenario's file, or run a scenario that has one (sit_to_stand_natural)",
                              scenario.world.chair ? "the scenario's own file has none (--set changes the world, not "
                                                     "what planner and controller believe of it)"
                                                   : "this scenario has none"));
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
  require_chair(scenario);
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
  setup.drive_errors = scenario.plant.drive_errors;
  setup.has_failsafe = scenario.controller.has_failsafe;
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
  setup.plan_metrics = plan_metrics(scenario.plan, *rise);
  if (!rise->retargeted) return setup;
  if (std::string note = torque_note(*setup.believed, *setup.plan, setup.plan_speed); !note.empty()) {
    setup.notes.push_back(std::move(note));
  }
  return setup;
}

std::unique_ptr<Controller> make_controller(const Scenario& scenario, RunSetup& setup) {
  return make_controller(scenario, *setup.believed, setup.start, setup.notes, setup.plan);
}

RunResult run_scenario(const Scenario& scenario, const std::function<void(double)>& on_progress, RisePlanner* planner) {
  RisePlanner own;
  RunSetup setup = make_setup(scenario, planner != nullptr ? *planner : own);
  const std::unique_ptr<Controller> controller = make_controller(scenario, setup);
  return run_with_controller(scenario, setup, *controller, on_progress);
}

RunResult run_with_controller(const Scenario& scenario, const RunSetup& setup, Controller& controller,
                              const std::function<void(double)>& on_progress,
                              const std::function<void(const Log&)>& on_rows) {
  RunResult output = run(setup, controller, on_progress, on_rows);
  if (setup.plan && setup.robot->has_cad()) {
    add_com_by_masses(output, *setup.believed, setup.robot->cad());
  }
  output.result.scenario = scenario.name;
  output.result.provenance.scenario_sha256 = sha256(scenario.text);
  output.notes.insert(output.notes.begin(), scenario.notes.begin(), scenario.notes.end());
  judge_run(output, scenario.checks);
  return output;
}

}  // namespace aplomb
