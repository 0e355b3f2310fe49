#include "aplomb/scenario/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/run/metrics/rise_metrics.hpp"
#include "aplomb/run/metrics/run_metrics.hpp"
#include "aplomb/run/observer.hpp"
#include "aplomb/scenario/metrics/force_metrics.hpp"
#include "aplomb/scenario/metrics/task_metrics.hpp"
#include "aplomb/scenario/setup/fit_robot.hpp"
#include "aplomb/scenario/setup/load_robots.hpp"
#include "aplomb/scenario/setup/make_controller.hpp"
#include "aplomb/scenario/setup/payload_estimate.hpp"
#include "aplomb/scenario/setup/rise_plan.hpp"
#include "aplomb/scenario/setup/run_log.hpp"
#include "aplomb/scenario/setup/start.hpp"

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

/// Ground that turns slippery, and walls that are not where the controller believes them to be.
void add_ground_faults(const Scenario& scenario, std::vector<Fault>& faults) {
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
}

std::vector<Fault> describe_faults(const Scenario& scenario, const Controller& controller) {
  constexpr const char* kKinds[] = {"lost", "frozen", "nan", "bias"};
  std::vector<Fault> faults;
  for (const SensorFault& fault : scenario.sensor_faults) {
    const bool is_noticed = fault.kind == SensorFault::Kind::lost || fault.kind == SensorFault::Kind::nan;
    const std::string_view sensor = kSensorNames[static_cast<std::size_t>(fault.sensor)];
    const std::string channel = fault.channel ? fmt::format("_{}", *fault.channel) : "";
    faults.push_back({.name = fmt::format("{}{}_{}", sensor, channel, kKinds[static_cast<int>(fault.kind)]),
                      .start_s = fault.start_s,
                      .fallback = is_noticed ? std::string(controller.fallback(fault.sensor))
                                             : "none: one reading does not show it"});
  }
  for (const ContactLoss& loss : scenario.contact_losses) {
    faults.push_back(
        {.name = fmt::format("{}{}_contact_lost", loss.side == kLeft ? "left" : "right", loss.is_hand ? "_hand" : ""),
         .start_s = loss.start_s,
         .fallback = loss.is_hand ? "none: the controller sees it as a hand that moves into its wall"
                                  : "none: the controller sees it as a foot without load"});
  }
  add_ground_faults(scenario, faults);
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

bool is_finite(const Command& command) {
  return command.torque.allFinite() && command.position.allFinite() && command.velocity.allFinite() &&
         command.stiffness.allFinite() && command.damping.allFinite();
}

std::optional<PayloadEstimate> make_payload_estimate(const FittedEvents& events, const RobotModel& believed) {
  if (events.payload_link.empty()) return std::nullopt;
  double handed_over_s = 0.0;
  for (const Payload& payload : events.happenings.payloads) handed_over_s = std::max(handed_over_s, payload.start_s);
  return std::make_optional<PayloadEstimate>(believed, believed.frame(events.payload_link), handed_over_s);
}

/// Robot, world, sensors and controller of one run, and what is seen of it.
class Run {
 public:
  explicit Run(const Scenario& scenario)
      : scenario_(scenario),
        robot_(load_plant(scenario)),
        plan_(rise_plan_of(scenario)),
        loaded_(plan_ ? std::nullopt : std::optional(load_believed(scenario, robot_))),
        believed_(plan_ ? *plan_->believed : *loaded_),
        start_(make_start(scenario, robot_, plan_ ? plan_->motion.get() : nullptr)),
        events_(fit_events(scenario, robot_)),
        simulation_(robot_, start_.world, events_.happenings),
        sensors_(robot_, scenario.sensors, scenario.sensor_faults, static_cast<std::uint64_t>(scenario.seed)),
        drives_(scenario.plant.drive_delay_s, robot_.num_joints()),
        controller_(make_controller(scenario, believed_, start_.state, events_.notes, plan_ ? plan_->motion : nullptr)),
        payload_(make_payload_estimate(events_, believed_)),
        num_ticks_(static_cast<std::size_t>(std::llround(scenario.duration_s / Simulation::kControlPeriod))),
        log_stride_(1 + (num_ticks_ - 1) / kMostLogRows),
        log_(robot_, signals(), num_ticks_ / log_stride_ + 1, plan_ != nullptr ? &plan_->motion->trajectory : nullptr),
        metrics_(robot_),
        force_metrics_(scenario.limbs, scenario.com_reference.steps) {
    cycles_us_.reserve(num_ticks_);
    if (payload_) controller_->correct(payload_->correction());  // the first one allocates: not in the loop
    simulation_.start(start_.state);
    std::optional<PlanPlayer> player;
    if (plan_) player.emplace(plan_->motion, scenario.plan.speed, scenario.plan.start_s);
    if (player) rise_.emplace(robot_, *player);
    force_metrics_.place(robot_, simulation_);
    observer_.emplace(robot_, simulation_, make_com_reference(scenario.com_reference, robot_, simulation_.state()),
                      events_.happenings.payloads, std::move(player));
    if (scenario.controller.kind == "task_priority") {
      task_metrics_.emplace(robot_, simulation_.state(), scenario.com_reference, events_.happenings.pushes);
    }
  }

  void play(const std::function<void(double)>& on_progress) {
    const Clock::time_point begin = Clock::now();
    for (std::size_t tick = 0; tick < num_ticks_ && play_tick(tick); ++tick) {
      if (tick % 100 != 0) continue;
      check_interrupt();
      if (on_progress) on_progress(simulation_.time_s());
    }
    wall_s_ = 1e-6 * microseconds(Clock::now() - begin);
  }

  RunOutput output() const {
    RunOutput output;
    Result& result = output.result;
    result.verb = "run";
    result.scenario = scenario_.name;
    result.metrics = metrics_.finish(simulation_.num_warnings());
    force_metrics_.add_metrics(result.metrics);
    const ControllerReport controller = controller_->report();
    for (const auto& [name, value] : controller.metrics.entries()) result.metrics.set(name, value);
    if (rise_) rise_->finish(result.metrics);
    if (plan_ && plan_->made) {
      result.metrics.set("slowdown", plan_->made->slowdown);
      result.metrics.set("com_target_shift_max_m", plan_->made->com_target_shift_max);
    }
    if (payload_) payload_->add_metrics(result.metrics);
    if (task_metrics_) task_metrics_->finish(result.metrics);
    for (const Check& check : with_own_checks(scenario_.checks)) result.checks.push_back(judge(check, result.metrics));
    result.faults = describe_faults(scenario_, *controller_);
    result.faults.insert(result.faults.end(), controller.faults.begin(), controller.faults.end());
    result.provenance = provenance_of(scenario_, robot_);
    set_timing(result.timing, cycles_us_, wall_s_, simulation_.time_s());
    output.page = {.title = scenario_.name, .about = scenario_.about, .scenario_text = scenario_.text};
    output.page.notes = scenario_.notes;
    for (const auto* notes : {&robot_.notes(), &events_.notes, &simulation_.notes()}) {
      output.page.notes.insert(output.page.notes.end(), notes->begin(), notes->end());
    }
    if (plan_) output.page.notes.insert(output.page.notes.end(), plan_->notes.begin(), plan_->notes.end());
    if (rise_ && !rise_->reason().empty()) output.page.notes.push_back(rise_->reason());
    log_.add_plots(output.page);
    output.page.notes.insert(output.page.notes.end(), controller.notes.begin(), controller.notes.end());
    for (const Signal& signal : controller_->signals()) output.signals.push_back(signal.name);
    if (payload_) PayloadEstimate::add_to_page(output.page);
    output.log = log_.log();
    return output;
  }

 private:
  static constexpr std::size_t kMostLogRows = 60'000;  // a minute of ticks; longer runs log every n-th

  /// The controller's and the estimate's.
  std::span<const Signal> signals() {
    if (!payload_) return controller_->signals();
    const auto [of_controller, of_payload] = std::pair(controller_->signals(), payload_->signals());
    signals_.resize(of_controller.size() + of_payload.size());
    const auto rest = std::ranges::copy(of_controller, signals_.begin()).out;
    std::ranges::copy(of_payload, rest);
    return signals_;
  }

  /// False when the run is over: the robot has fallen, or a number is not finite.
  bool play_tick(std::size_t tick) {
    simulation_.read(truth_);
    const SensorReadings& readings = sensors_.sense(truth_);
    const Clock::time_point begin = Clock::now();
    const Command& command = controller_->step(readings);
    cycles_us_.push_back(microseconds(Clock::now() - begin));
    if (is_finite(command)) simulation_.step(drives_.pass(command));
    if (!is_finite(command) || !simulation_.is_finite()) {
      metrics_.add_nonfinite_value();
      return false;
    }
    const Observation& now = observer_->observe(command);
    if (payload_ && payload_->update(readings)) {
      controller_->correct(payload_->correction());
      payload_->judge(now, simulation_.state());
    }
    const CommandStatus status = is_broken(readings) ? CommandStatus::solved : command.status;
    metrics_.add(now, simulation_.state(), simulation_.joint_torque(), status);
    if (task_metrics_) task_metrics_->add(now, simulation_.state());
    if (rise_) rise_->add(now);
    force_metrics_.add(now);
    if (tick % log_stride_ == 0) log_.append(now, simulation_.state(), simulation_.joint_torque(), signals());
    return !now.has_fallen;
  }

  const Scenario& scenario_;
  RobotModel robot_;                      ///< as it is
  std::shared_ptr<const RisePlan> plan_;  ///< nullptr: there is none
  std::optional<RobotModel> loaded_;      ///< when there is no plan
  const RobotModel& believed_;            ///< as the controller believes it to be
  Start start_;
  FittedEvents events_;
  Simulation simulation_;
  SensorSuite sensors_;
  DriveDelay drives_;
  std::unique_ptr<Controller> controller_;
  std::optional<PayloadEstimate> payload_;  ///< where the scenario asks for it
  std::vector<Signal> signals_;
  std::size_t num_ticks_, log_stride_;
  RunLog log_;
  RunMetrics metrics_;
  std::optional<RiseMetrics> rise_;
  ForceMetrics force_metrics_;
  std::optional<Observer> observer_;         ///< from the started simulation
  std::optional<TaskMetrics> task_metrics_;  ///< of kind task_priority
  SensorReadings truth_;
  std::vector<double> cycles_us_;
  double wall_s_ = 0.0;
};

}  // namespace

RunOutput run_scenario(const Scenario& scenario, const std::function<void(double)>& on_progress) {
  Run run(scenario);
  run.play(on_progress);
  return run.output();
}

}  // namespace aplomb
