#include "aplomb/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <numbers>
#include <optional>

#include "aplomb/control/failsafe/failsafe.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/nonblocking.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/run/estimated_base.hpp"
#include "aplomb/run/make_failsafe.hpp"
#include "aplomb/run/metrics/fault_record.hpp"
#include "aplomb/run/metrics/force_metrics.hpp"
#include "aplomb/run/metrics/rise_checks.hpp"
#include "aplomb/run/metrics/rise_metrics.hpp"
#include "aplomb/run/metrics/run_metrics.hpp"
#include "aplomb/run/metrics/task_metrics.hpp"
#include "aplomb/run/observer.hpp"
#include "aplomb/run/payload_estimate.hpp"
#include "aplomb/run/run_log.hpp"
#include "aplomb/sim/simulation.hpp"

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

bool is_finite(const Wrench& wrench) { return wrench.force.allFinite() && wrench.moment.allFinite(); }

/// Whether a reading of a sensor that the robot has is lost or not finite, which only an injected fault causes.
bool is_broken(const SensorReadings& readings, const SensorSuite::Settings& sensors) {
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (readings.is_lost[i] && sensors[i].is_fitted) return true;
  }
  bool is_all_finite = readings.state.q.allFinite() && readings.state.v.allFinite() &&
                       is_finite(readings.seat_wrench) && readings.imu_acceleration.allFinite() &&
                       readings.imu_angular_velocity.allFinite();
  for (int side : {kLeft, kRight}) {
    is_all_finite = is_all_finite && is_finite(readings.foot_wrench[side]) && is_finite(readings.hand_wrench[side]) &&
                    std::ranges::all_of(readings.load_cells[side], [](double force) { return std::isfinite(force); });
  }
  return !is_all_finite;
}

/// Status of a tick as it is counted: a controller that misses a reading although all are there has failed.
CommandStatus counted_status(const Command& command, const SensorReadings& readings,
                             const SensorSuite::Settings& sensors) {
  const bool is_excused = command.status != CommandStatus::reading_missing || is_broken(readings, sensors);
  return is_excused ? command.status : CommandStatus::solve_failed;
}

/// Faults of the world that the run injects, and differences between the world and what is believed of it.
std::vector<Fault> world_faults(const RunSetup& setup) {
  std::vector<Fault> faults;
  for (const ContactLoss& loss : setup.events.contact_losses) {
    faults.push_back(
        {.name = fmt::format("{}{}_contact_lost", loss.side == kLeft ? "left" : "right", loss.is_hand ? "_hand" : ""),
         .start_s = loss.start_s,
         .fallback = loss.is_hand ? "none: the controller sees it as a hand that moves into its wall"
                                  : "none: the controller sees it as a foot without load"});
  }
  faults.insert(faults.end(), setup.world_faults.begin(), setup.world_faults.end());
  return faults;
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

bool is_finite(const Command& command) {
  return command.torque.allFinite() && command.position.allFinite() && command.velocity.allFinite() &&
         command.stiffness.allFinite() && command.damping.allFinite();
}

std::optional<PayloadEstimate> make_payload_estimate(const RunSetup& setup) {
  if (setup.payload_link.empty()) return std::nullopt;
  double handed_over_s = 0.0;
  for (const Payload& payload : setup.events.payloads) handed_over_s = std::max(handed_over_s, payload.start_s);
  const RobotModel& believed = *setup.believed;
  return std::make_optional<PayloadEstimate>(believed, believed.frame(setup.payload_link), handed_over_s);
}

std::optional<EstimatedBase> make_estimated_base(const RunSetup& setup) {
  if (!EstimatedBase::is_needed(setup.sensors)) return std::nullopt;
  return std::make_optional<EstimatedBase>(*setup.robot, *setup.believed, setup.world, setup.sensors, setup.start);
}

/// Simulation, sensors, drives and metrics of one run.
class Run {
 public:
  Run(const RunSetup& setup, Controller& controller)
      : setup_(setup),
        failsafe_(make_failsafe(setup, controller)),
        controller_(failsafe_ ? static_cast<Controller&>(*failsafe_) : controller),
        simulation_(*setup.robot, setup.world, setup.events),
        sensors_(*setup.robot, setup.sensors, setup.sensor_faults, static_cast<std::uint64_t>(setup.seed)),
        drives_(setup.drive_delay_s, setup.robot->num_joints()),
        payload_(make_payload_estimate(setup)),
        estimated_base_(make_estimated_base(setup)),
        num_ticks_(static_cast<std::size_t>(std::llround(setup.duration_s / Simulation::kControlPeriod))),
        log_stride_(1 + (num_ticks_ - 1) / kMostLogRows),
        log_(*setup.robot, signals(), num_ticks_ / log_stride_ + 1, setup.plan ? &setup.plan->trajectory : nullptr),
        metrics_(*setup.robot),
        faults_(setup.sensor_faults),
        force_metrics_(setup.hand_forces, setup.com.steps) {
    cycles_us_.reserve(num_ticks_);
    if (payload_) controller_.correct(payload_->correction());  // the first one allocates: not in the loop
    simulation_.set_drive_errors(setup.drive_errors, static_cast<std::uint64_t>(setup.seed));
    simulation_.start(setup.start);
    if (estimated_base_) estimated_base_->watch_rest(simulation_, sensors_);
    std::optional<PlanPlayer> player;
    if (setup.plan) player.emplace(setup.plan, setup.plan_speed, setup.plan_start_s);
    if (player) rise_.emplace(*setup.robot, *player);
    force_metrics_.place(*setup.robot, simulation_);
    observer_.emplace(*setup.robot, simulation_, make_com_reference(setup.com, *setup.robot, simulation_.state()),
                      setup.events.payloads, std::move(player));
    if (setup.has_task_metrics) {
      task_metrics_.emplace(*setup.robot, simulation_.state(), setup.com, setup.events.pushes);
    }
  }

  void play(const std::function<void(double)>& on_progress, const std::function<void(const Log&)>& on_rows) {
    const Clock::time_point begin = Clock::now();
    for (std::size_t tick = 0; tick < num_ticks_ && play_tick(tick); ++tick) {
      if (tick % 100 != 0) continue;
      check_interrupt();
      if (on_progress) on_progress(simulation_.time_s());
      if (on_rows) on_rows(log_.log());
    }
    if (rise_ && observer_->last().has_fallen) play_fall();
    wall_s_ = 1e-6 * microseconds(Clock::now() - begin);
  }

  RunResult result() const {
    RunResult output;
    Result& result = output.result;
    result.verb = "run";
    result.metrics = metrics_.finish(simulation_.num_warnings());
    force_metrics_.add_metrics(result.metrics);
    const ControllerReport controller = controller_.report();
    const auto add = [&result](const Metrics& metrics) {
      for (const auto& [name, value] : metrics.entries()) result.metrics.set(name, value);
    };
    add(controller.metrics);
    if (rise_) rise_->finish(result.metrics);
    add(setup_.plan_metrics);
    if (payload_) payload_->add_metrics(result.metrics);
    if (estimated_base_) estimated_base_->add_metrics(result.metrics);
    if (task_metrics_) task_metrics_->finish(result.metrics);
    result.faults = faults_.finish(simulation_.time_s());
    for (const std::vector<Fault>& others : {world_faults(setup_), controller.faults}) {
      result.faults.insert(result.faults.end(), others.begin(), others.end());
    }
    result.provenance = {.version = version(),
                         .commit = commit(),
                         .robot_sha256 = sha256_of_file(setup_.robot->urdf().file),
                         .seed = setup_.seed};
    set_timing(result.timing, cycles_us_, wall_s_, simulation_.time_s());
    const auto note = [&output](const std::vector<std::string>& notes) {
      output.notes.insert(output.notes.end(), notes.begin(), notes.end());
    };
    note(setup_.robot->notes());
    note(setup_.notes);
    note(simulation_.notes());
    if (rise_ && !rise_->reason().empty()) output.notes.push_back(rise_->reason());
    note(controller.notes);
    for (const Signal& signal : controller_.signals()) output.signals.push_back(signal.name);
    output.log = log_.log();
    output.setup = setup_;
    return output;
  }

 private:
  static constexpr double kFallTime = 1.5;  // [s] from a fall to rest on the floor; a free one of 1 m takes 0.45
  static constexpr std::size_t kMostLogRows = 60'000;  // one minute of ticks; longer runs log every n-th

  /// Those of the controller, of the payload estimate and of the base estimate.
  std::span<const Signal> signals() {
    if (!payload_ && !estimated_base_) return controller_.signals();
    const std::span<const Signal> of_controller = controller_.signals();
    signals_.assign(of_controller.begin(), of_controller.end());
    if (payload_) std::ranges::copy(payload_->signals(), std::back_inserter(signals_));
    if (estimated_base_) std::ranges::copy(estimated_base_->signals(), std::back_inserter(signals_));
    return signals_;
  }

  // What would run on a robot, as against what simulates and judges it.
  const SensorReadings& estimate() APLOMB_NONBLOCKING { return estimated_base_->estimate(*sensed_); }
  const Command& control(const SensorReadings& readings) APLOMB_NONBLOCKING {
    return failsafe_ ? failsafe_->step(*sensed_, readings) : controller_.step(readings);
  }

  /// What the controller gets.
  const SensorReadings& sense() {
    simulation_.read(truth_);
    if (estimated_base_) estimated_base_->measure(simulation_.state(), truth_);
    sensed_ = &sensors_.sense(truth_);
    return estimated_base_ ? estimate() : *sensed_;
  }

  /// False when the run is over: the robot has fallen, or a number is not finite.
  bool play_tick(std::size_t tick) {
    const SensorReadings& readings = sense();
    const Clock::time_point begin = Clock::now();
    const Command& command = control(readings);
    cycles_us_.push_back(microseconds(Clock::now() - begin));
    faults_.add(readings.time_s, controller_.fallbacks());
    if (estimated_base_) faults_.add(readings.time_s, estimated_base_->fallbacks());
    if (is_finite(command)) simulation_.step(drives_.pass(command));
    if (!is_finite(command) || !simulation_.is_finite()) {
      metrics_.add_nonfinite_value();
      return false;
    }
    const Observation& now = observer_->observe(command);
    if (payload_ && payload_->update(readings)) {
      controller_.correct(payload_->correction());
      payload_->judge(now, simulation_.state());
    }
    if (estimated_base_) estimated_base_->judge(now, simulation_.state());
    metrics_.add(now, simulation_.state(), simulation_.joint_torque(),
                 counted_status(command, readings, setup_.sensors));
    if (task_metrics_) task_metrics_->add(now, simulation_.state());
    if (rise_) rise_->add(now, simulation_.state(), simulation_.joint_torque());
    force_metrics_.add(now);
    if (tick % log_stride_ == 0) log_.append(now, simulation_.state(), simulation_.joint_torque(), signals());
    return !now.has_fallen;
  }

  /// What follows after the robot has fallen, for the force with which it lands. Nothing else is judged.
  void play_fall() {
    const int num_ticks = static_cast<int>(kFallTime / Simulation::kControlPeriod);
    for (int tick = 0; tick < num_ticks; ++tick) {
      rise_->add_fall(observer_->last());
      const Command& command = control(sense());
      if (is_finite(command)) simulation_.step(drives_.pass(command));
      if (!is_finite(command) || !simulation_.is_finite()) return metrics_.add_nonfinite_value();
      observer_->observe(command);
    }
  }

  const RunSetup& setup_;
  std::unique_ptr<Failsafe> failsafe_;  ///< around the controller, if the run has one
  Controller& controller_;
  Simulation simulation_;
  SensorSuite sensors_;
  DriveDelay drives_;
  std::optional<PayloadEstimate> payload_;
  std::optional<EstimatedBase> estimated_base_;
  std::vector<Signal> signals_;
  std::size_t num_ticks_, log_stride_;
  RunLog log_;
  RunMetrics metrics_;
  FaultRecord faults_;
  std::optional<RiseMetrics> rise_;
  ForceMetrics force_metrics_;
  std::optional<Observer> observer_;  ///< made from the started simulation
  std::optional<TaskMetrics> task_metrics_;
  SensorReadings truth_;
  const SensorReadings* sensed_ = nullptr;  ///< what the sensors read in this tick
  std::vector<double> cycles_us_;
  double wall_s_ = 0.0;
};

}  // namespace

std::unique_ptr<Failsafe> make_failsafe(const RunSetup& setup, Controller& controller) {
  if (!setup.has_failsafe) return nullptr;
  // The posture at the end of the run's motion, in which the robot stands.
  RobotState standing = setup.start;
  if (setup.plan) {
    standing = {setup.plan->trajectory.q.rightCols<1>(), Eigen::VectorXd::Zero(setup.believed->nv())};
  }
  // A velocity that is differentiated is late by the low-pass that it needs.
  double rate_lag_s = Failsafe::kRateLag_s;
  const double cutoff_hz = setup.sensors[static_cast<std::size_t>(Sensor::joint_velocity)].rate_cutoff_hz;
  if (cutoff_hz > 0.0) {
    rate_lag_s = std::max(rate_lag_s, kControlPeriod + 1.0 / (2.0 * std::numbers::pi * cutoff_hz));
  }
  return std::make_unique<Failsafe>(*setup.believed, setup.start, standing, controller, rate_lag_s);
}

RunResult run(const RunSetup& setup, Controller& controller, const std::function<void(double)>& on_progress,
              const std::function<void(const Log&)>& on_rows) {
  Run run(setup, controller);
  run.play(on_progress, on_rows);
  return run.result();
}

void judge_run(RunResult& run, const std::vector<Check>& checks) {
  Result& result = run.result;
  for (const Check& check : checks) result.checks.push_back(judge(check, result.metrics));
  std::vector<Check> defaults = {{"fell", Check::Rule::equals, false},
                                 {"sim_warnings", Check::Rule::equals, std::int64_t{0}},
                                 {"solver_failures", Check::Rule::equals, std::int64_t{0}},
                                 {"nonfinite_values", Check::Rule::equals, std::int64_t{0}}};
  if (run.setup.plan && run.setup.plan->contacts.has(ContactSite::seat)) {
    std::ranges::copy(rise_checks(*run.setup.robot), std::back_inserter(defaults));
    const double start_s = run.setup.plan->trajectory.start_s;
    const bool takes_seat = std::ranges::any_of(run.setup.plan->contacts.contacts, [start_s](const auto& contact) {
      return contact.site == ContactSite::seat && contact.start_s > start_s;
    });
    if (takes_seat) std::ranges::copy(sit_down_checks(), std::back_inserter(defaults));
  }
  for (const Check& check : defaults) {
    const bool is_own = std::ranges::any_of(checks, [&](const Check& own) { return own.metric == check.metric; });
    if (!is_own) result.checks.push_back(judge(check, result.metrics));
  }
}

}  // namespace aplomb
