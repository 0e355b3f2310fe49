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
#include "aplomb/scenario/start.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

/// Commands on their way to the drives.
class DriveDelay {
 public:
  DriveDelay(double delay_s, int num_joints)
      : queue_(1 + static_cast<std::size_t>(std::llround(delay_s / Simulation::kControlPeriod)), Command(num_joints)) {}

  const Command& pass(const Command& command) {
    if (tick_ == 0) std::ranges::fill(queue_, command);  // before the start the first command was held
    queue_[tick_ % queue_.size()] = command;
    return queue_[++tick_ % queue_.size()];
  }

 private:
  std::vector<Command> queue_;
  std::size_t tick_ = 0;
};

/// A command that is held because a reading was broken on purpose is a fallback, not a failure of ours.
bool is_broken(const SensorReadings& readings) {
  return std::ranges::find(readings.is_lost, true) != readings.is_lost.end() || !readings.state.q.allFinite() ||
         !readings.state.v.allFinite();
}

std::vector<Fault> describe_faults(const Scenario& scenario, const Controller& controller) {
  constexpr const char* kKinds[] = {"lost", "frozen", "nan", "bias"};
  std::vector<Fault> faults;
  for (const SensorFault& fault : scenario.sensor_faults) {
    const bool is_noticed = fault.kind == SensorFault::Kind::lost || fault.kind == SensorFault::Kind::nan;
    const std::string_view sensor = kSensorNames[static_cast<std::size_t>(fault.sensor)];
    faults.push_back({.name = fmt::format("{}_{}", sensor, kKinds[static_cast<int>(fault.kind)]),
                      .start_s = fault.start_s,
                      .fallback = is_noticed ? std::string(controller.fallback(fault.sensor))
                                             : "none: one reading does not show it"});
  }
  for (const ContactLoss& loss : scenario.contact_losses) {
    faults.push_back({.name = loss.side == kLeft ? "left_contact_lost" : "right_contact_lost",
                      .start_s = loss.start_s,
                      .fallback = "none: the controller sees it as a foot without load"});
  }
  return faults;
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
  const RobotModel robot = make_plant(RobotModel::load(scenario.robot), scenario.plant);
  const RobotModel believed = RobotModel::load(scenario.robot_model.empty() ? scenario.robot : scenario.robot_model);
  const Start start = make_start(scenario, robot);
  const FittedEvents fitted = fit_events(scenario, robot);
  Simulation simulation(robot, start.world, fitted.happenings);
  SensorSuite sensors(robot, scenario.sensors, scenario.sensor_faults, static_cast<std::uint64_t>(scenario.seed));
  DriveDelay drives(scenario.plant.drive_delay_s, robot.num_joints());
  const std::unique_ptr<Controller> controller = make_controller(scenario, believed, start.state);

  simulation.start(start.state);
  Observer observer(robot, simulation, fitted.happenings.payloads);
  const auto num_ticks = static_cast<std::size_t>(std::llround(scenario.duration_s / Simulation::kControlPeriod));
  RunLog log(robot, num_ticks);
  RunMetrics metrics(robot);
  std::vector<double> cycles_us;
  cycles_us.reserve(num_ticks);

  SensorReadings truth;
  const Clock::time_point run_start = Clock::now();
  for (std::size_t tick = 0; tick < num_ticks; ++tick) {
    simulation.read(truth);
    const SensorReadings& readings = sensors.sense(truth);
    const Clock::time_point cycle_start = Clock::now();
    const Command& command = controller->step(readings);
    cycles_us.push_back(microseconds(Clock::now() - cycle_start));
    simulation.step(drives.pass(command));
    if (!simulation.is_finite()) {
      metrics.add_nonfinite_value();
      break;
    }
    const Observation& now = observer.observe(command);
    const CommandStatus status = is_broken(readings) ? CommandStatus::solved : command.status;
    metrics.add(now, simulation.state(), simulation.joint_torque(), status);
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
  output.result.faults = describe_faults(scenario, *controller);
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
