#include "aplomb/scenario/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/sha256.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/make_controller.hpp"
#include "aplomb/scenario/observer.hpp"
#include "aplomb/scenario/run_log.hpp"
#include "aplomb/scenario/run_metrics.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

RobotState start_state(const Scenario& scenario, const RobotModel& robot) {
  check_start(scenario, robot);
  RobotState state = robot.posture(scenario.start.posture);
  for (const auto& [joint, offset] : scenario.start.joint_offset_rad) state.q[7 + robot.joint(joint)] += offset;
  robot.stand_on_soles(state);
  return state;
}

/// Every run must be free of faults of our own doing, whatever its scenario asks for.
std::vector<Check> with_own_checks(std::vector<Check> checks) {
  for (const char* metric : {"sim_warnings", "solver_failures", "nonfinite_values"}) {
    const bool is_there = std::ranges::any_of(checks, [&](const Check& check) { return check.metric == metric; });
    if (!is_there) checks.push_back({.metric = metric, .rule = Check::Rule::equals, .bound = std::int64_t{0}});
  }
  return checks;
}

void set_timing(Metrics& timing, std::vector<double> cycles_us, double wall_s, double simulated_s) {
  std::ranges::sort(cycles_us);
  const auto quantile = [&cycles_us](double share) -> MetricValue {
    if (cycles_us.empty()) return {};
    return cycles_us[static_cast<std::size_t>(share * static_cast<double>(cycles_us.size() - 1))];
  };
  timing.set("control_cycle_us_p50", quantile(0.5));
  timing.set("control_cycle_us_p99", quantile(0.99));
  timing.set("control_cycle_us_max", quantile(1.0));
  timing.set("realtime_factor", wall_s > 0.0 ? MetricValue(simulated_s / wall_s) : MetricValue{});
  timing.set("wall_s", wall_s);
}

Provenance provenance_of(const Scenario& scenario, const RobotModel& robot) {
  return {.version = version(),
          .commit = commit(),
          .robot_sha256 = sha256_of_file(robot.urdf().file),
          .scenario_sha256 = sha256(scenario.text),
          .seed = scenario.seed};
}

}  // namespace

RunOutput run_scenario(const Scenario& scenario, const std::function<void(double)>& on_progress) {
  const RobotModel robot = RobotModel::load(scenario.robot);
  const RobotModel believed = RobotModel::load(scenario.robot_model.empty() ? scenario.robot : scenario.robot_model);
  const RobotState start = start_state(scenario, robot);
  const RobotPushes fitted = fit_pushes(scenario, robot);
  Simulation simulation(robot, scenario.world, Happenings{.pushes = fitted.pushes});
  const std::unique_ptr<Controller> controller = make_controller(scenario, believed, start);

  simulation.start(start);
  Observer observer(robot, simulation);
  const auto num_ticks = static_cast<std::size_t>(std::llround(scenario.duration_s / Simulation::kControlPeriod));
  RunLog log(robot, num_ticks);
  RunMetrics metrics(robot);
  std::vector<double> cycles_us;
  cycles_us.reserve(num_ticks);

  SensorReadings readings;
  const Clock::time_point run_start = Clock::now();
  for (std::size_t tick = 0; tick < num_ticks; ++tick) {
    simulation.read(readings);
    const Clock::time_point cycle_start = Clock::now();
    const Command& command = controller->step(readings);
    cycles_us.push_back(microseconds(Clock::now() - cycle_start));
    simulation.step(command);
    if (!simulation.is_finite()) {
      metrics.add_nonfinite_value();
      break;
    }
    const Observation& now = observer.observe(command);
    metrics.add(now, simulation.state(), simulation.joint_torque(), command.status);
    log.append(now, simulation.state(), simulation.joint_torque());
    if (now.has_fallen) break;
    if (tick % 100 == 0) {
      check_interrupt();
      if (on_progress) on_progress(now.time_s);
    }
  }
  const double wall_s = 1e-6 * microseconds(Clock::now() - run_start);

  RunOutput output;
  output.result.verb = "run";
  output.result.scenario = scenario.name;
  output.result.metrics = metrics.finish(simulation.num_warnings());
  for (const Check& check : with_own_checks(scenario.checks)) {
    output.result.checks.push_back(judge(check, output.result.metrics));
  }
  output.result.provenance = provenance_of(scenario, robot);
  set_timing(output.result.timing, std::move(cycles_us), wall_s, simulation.time_s());
  output.page = {.title = scenario.name, .about = scenario.about, .scenario_text = scenario.text};
  output.page.notes = scenario.notes;
  for (const auto* notes : {&robot.notes(), &fitted.notes}) {
    output.page.notes.insert(output.page.notes.end(), notes->begin(), notes->end());
  }
  log.add_plots(output.page);
  output.log = log.log();
  return output;
}

}  // namespace aplomb
