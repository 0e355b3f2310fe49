#include "aplomb/control/failsafe/failsafe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "aplomb/control/failsafe/believed_state.hpp"
#include "aplomb/control/failsafe/crouch.hpp"
#include "aplomb/control/failsafe/fall_watch.hpp"
#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr int ticks_of(double seconds) { return static_cast<int>(seconds / kControlPeriod + 0.5); }

// The times of the ladder (docs/failsafe.md).
constexpr int kUnknownTicks = ticks_of(0.1);
constexpr int kSubstituteTicks = ticks_of(3.0);  // drift of a substitute stays below a centimetre; tuned
constexpr int kSlowSubstituteTicks = ticks_of(1.0);
constexpr int kFailingTicks = 50;
constexpr int kLateTicks = 200;
constexpr int kSaturatedTicks = ticks_of(5.0);
constexpr int kHeldTicks = ticks_of(30.0);
constexpr int kLowerTicks = ticks_of(5.0);
constexpr int kLoweredTicks = kLowerTicks + ticks_of(2.0);
constexpr int kDampTicks = ticks_of(1.0);
constexpr int kLongestDampTicks = ticks_of(10.0);
constexpr int kBlendTicks = ticks_of(0.1);  // from the controller's command to the posture's

constexpr double kSlow = 0.1;             // [rad/s], [m/s]: a robot that may be stopped at any instant
constexpr double kAtRest = 0.05;          // [rad/s]
constexpr double kPeriodTolerance = 0.5;  // of the control period
constexpr double kSaturation = 0.999;     // of the torque limit

bool is_finite(const Command& command) {
  return command.torque.allFinite() && command.position.allFinite() && command.velocity.allFinite() &&
         command.stiffness.allFinite() && command.damping.allFinite();
}

constexpr std::array kFindingConditions = {Condition::sensor_lost, Condition::sensor_not_finite,
                                           Condition::sensor_out_of_range, Condition::sensor_frozen,
                                           Condition::sensor_jumped};

std::optional<Condition> condition_of(SensorFinding finding) {
  if (finding == SensorFinding::good) return std::nullopt;
  return kFindingConditions[static_cast<std::size_t>(finding) - 1];
}

std::string_view action_of(Sensor sensor, SensorFinding finding) {
  // One literal for each kind of sensor and finding: a Fallback refers to it.
  constexpr std::array<std::array<std::string_view, 5>, 2> kActions = {
      {{"named by the failsafe: lost; the controller decides",
        "named by the failsafe: not finite; the controller decides",
        "named by the failsafe: out of range; the controller decides",
        "named by the failsafe: frozen; the controller decides",
        "named by the failsafe: jumped; the controller decides"},
       {"named by the failsafe: lost; substituted", "named by the failsafe: not finite; substituted",
        "named by the failsafe: out of range; substituted", "named by the failsafe: frozen; substituted",
        "named by the failsafe: jumped; substituted"}}};
  return kActions[is_state_sensor(sensor) ? 1 : 0][static_cast<std::size_t>(finding) - 1];
}

}  // namespace

struct Failsafe::Impl {
  Impl(const RobotModel& model, const RobotState& start, const RobotState& standing, Controller& controller,
       double rate_lag_s);

  const Command& step(const SensorReadings& raw, const SensorReadings& readings);
  void find_conditions(const SensorReadings& readings);
  void judge_command(const Command& command);
  void enter(SafetyLevel next, double time_s);
  const Command& act();
  const Command& blend(const Command& target);

  const RobotModel* model_;
  Controller* controller_;
  BelievedState believed_;
  FallWatch fall_;
  JointPd posture_;
  Crouch crouch_;
  Eigen::VectorXd held_, target_;  ///< joint angles when the controller was left, and now [rad]
  Command command_, last_;         ///< of the safe levels; the last finite one
  bool is_own_ = false;            ///< the last command was of a safe level
  SafetyLevel level_ = SafetyLevel::nominal;
  Conditions conditions_, entered_by_;
  Fallbacks fallbacks_;
  CommandStatus status_ = CommandStatus::solved;
  bool has_stepped_ = false, is_command_finite_ = true;
  double last_time_s_ = 0.0;
  int unknown_ticks_ = 0, drifting_ticks_ = 0, failed_ticks_ = 0, late_ticks_ = 0, rest_ticks_ = 0, level_ticks_ = 0;
  Eigen::VectorXi saturated_ticks_;
  std::int64_t nonfinite_commands_ = 0;
  struct Entry {
    SafetyLevel level{};
    Conditions conditions;
    double time_s = 0.0;
  };
  std::array<Entry, kSafetyLevelNames.size()> entries_{};  ///< each level is entered at most once between resets
  std::size_t num_entries_ = 0;
};

Failsafe::Impl::Impl(const RobotModel& model, const RobotState& start, const RobotState& standing,
                     Controller& controller, double rate_lag_s)
    : model_(&model),
      controller_(&controller),
      believed_(model, start, kControlPeriod, rate_lag_s),
      fall_(model, start, standing),
      posture_(model, standing, {}),
      crouch_(model, standing),
      held_(joint_positions(start.q)),
      target_(held_),
      command_(model.num_joints()),
      last_(model.num_joints()),
      saturated_ticks_(Eigen::VectorXi::Zero(model.num_joints())) {}

void Failsafe::Impl::find_conditions(const SensorReadings& readings) {
  conditions_ = {};
  fallbacks_.clear();
  for (std::size_t i = 0; i < kSensorNames.size(); ++i) {
    const auto sensor = static_cast<Sensor>(i);
    const SensorFinding finding = believed_.finding(sensor);
    if (const std::optional<Condition> condition = condition_of(finding)) {
      conditions_.set(*condition);
      fallbacks_.take(sensor, action_of(sensor, finding));
    }
  }
  const double period = readings.time_s - last_time_s_;
  conditions_.set(Condition::reading_late,
                  has_stepped_ && !(std::abs(period - kControlPeriod) < kPeriodTolerance * kControlPeriod));
  last_time_s_ = readings.time_s;
  has_stepped_ = true;

  conditions_.set(Condition::solve_failed, status_ == CommandStatus::solve_failed);
  conditions_.set(Condition::deadline_missed, status_ == CommandStatus::deadline_missed);
  conditions_.set(Condition::command_not_finite, !is_command_finite_);
  conditions_.set(Condition::solver_failing, failed_ticks_ >= kFailingTicks);
  conditions_.set(Condition::deadline_failing, late_ticks_ >= kLateTicks);
  conditions_.set(Condition::torque_saturated,
                  saturated_ticks_.size() > 0 && saturated_ticks_.maxCoeff() >= kSaturatedTicks);

  unknown_ticks_ = believed_.is_known() ? 0 : unknown_ticks_ + 1;
  drifting_ticks_ = believed_.is_drifting() ? drifting_ticks_ + 1 : 0;
  const double speed = believed_.state().v.cwiseAbs().maxCoeff();
  conditions_.set(Condition::state_unknown, unknown_ticks_ > kUnknownTicks);
  conditions_.set(Condition::state_lost_for_good,
                  drifting_ticks_ > kSubstituteTicks || (drifting_ticks_ > kSlowSubstituteTicks && speed < kSlow));

  fall_.update(believed_);
  conditions_.set(Condition::tilted, fall_.is_tilted());
  conditions_.set(Condition::capture_point_lost, fall_.is_capture_point_lost());

  const bool is_standing = !fall_.is_carried_elsewhere();
  conditions_.set(Condition::held_for_long, level_ == SafetyLevel::stop_moving && level_ticks_ >= kHeldTicks &&
                                                is_standing && crouch_.is_possible());
  conditions_.set(Condition::lowered, level_ == SafetyLevel::sit_or_kneel && level_ticks_ >= kLoweredTicks);
  rest_ticks_ =
      joint_velocities(believed_.state().v).cwiseAbs().sum() < kAtRest * model_->num_joints() ? rest_ticks_ + 1 : 0;
  conditions_.set(Condition::at_rest, level_ == SafetyLevel::damp && level_ticks_ >= kDampTicks &&
                                          (rest_ticks_ >= ticks_of(0.5) || level_ticks_ >= kLongestDampTicks));
}

void Failsafe::Impl::enter(SafetyLevel next, double time_s) {
  level_ = next;
  level_ticks_ = 0;
  entered_by_ = conditions_;
  if (num_entries_ < entries_.size()) entries_[num_entries_++] = {next, conditions_, time_s};
  if (next == SafetyLevel::stop_moving || next == SafetyLevel::sit_or_kneel) {
    held_ = joint_positions(believed_.state().q);
    target_ = held_;
  }
}

const Command& Failsafe::Impl::step(const SensorReadings& raw, const SensorReadings& readings) {
  believed_.update(raw, readings);
  find_conditions(readings);
  ++level_ticks_;
  const SafetyLevel next = next_level(level_, conditions_);
  if (next != level_) enter(next, readings.time_s);
  if (level_ <= SafetyLevel::degraded) {
    // What cannot be substituted is the controller's own to bridge.
    const bool is_repaired = believed_.is_substituted() && believed_.is_known();
    const Command& command = controller_->step(is_repaired ? believed_.readings() : readings);
    judge_command(command);
    if (is_command_finite_) {
      last_ = command;
      return command;
    }
    enter(SafetyLevel::stop_moving, readings.time_s);
    entries_[num_entries_ - 1].conditions.set(Condition::command_not_finite);
  }
  return act();
}

void Failsafe::Impl::judge_command(const Command& command) {
  fallbacks_.take_all(controller_->fallbacks());
  status_ = command.status;
  is_command_finite_ = is_finite(command);
  failed_ticks_ = status_ == CommandStatus::solve_failed ? failed_ticks_ + 1 : 0;
  late_ticks_ = status_ == CommandStatus::deadline_missed ? late_ticks_ + 1 : 0;
  if (!is_command_finite_) ++nonfinite_commands_;
  if (!is_command_finite_ || !believed_.is_known()) return;
  const Actuation& actuation = model_->description().actuation;
  const bool is_servo = actuation.kind == Actuation::Kind::servo;
  const RobotState& state = believed_.state();
  for (int i = 0; i < model_->num_joints(); ++i) {
    const double stiffness = is_servo ? actuation.stiffness : command.stiffness[i];
    const double damping = is_servo ? actuation.damping : command.damping[i];
    const double feed_forward = is_servo ? -damping * state.v[kBaseV + i]
                                         : command.torque[i] + damping * (command.velocity[i] - state.v[kBaseV + i]);
    const double torque = feed_forward + stiffness * (command.position[i] - state.q[kBaseQ + i]);
    const double effort = model_->joints()[static_cast<std::size_t>(i)].effort;
    saturated_ticks_[i] = effort > 0.0 && std::abs(torque) >= kSaturation * effort ? saturated_ticks_[i] + 1 : 0;
  }
}

const Command& Failsafe::Impl::act() {
  status_ = CommandStatus::solved;
  is_command_finite_ = true;
  failed_ticks_ = late_ticks_ = 0;
  saturated_ticks_.setZero();
  const RobotState& state = believed_.state();
  if (level_ == SafetyLevel::stop_moving || level_ == SafetyLevel::sit_or_kneel) {
    if (level_ == SafetyLevel::sit_or_kneel) {
      const double u = std::min(static_cast<double>(level_ticks_) / kLowerTicks, 1.0);
      target_ = held_ + (3.0 - 2.0 * u) * u * u * (crouch_.angle() - held_);
    }
    posture_.hold(target_);
    return blend(posture_.step(believed_.readings()));
  }
  const bool is_servo = model_->description().actuation.kind == Actuation::Kind::servo;
  command_.torque.setZero();
  command_.velocity.setZero();
  command_.stiffness.setZero();
  // A position servo cannot be made soft: it is told to stay where it is, so that only its damper resists.
  command_.position = joint_positions(state.q);
  if (is_servo || level_ == SafetyLevel::damp) {
    command_.damping = posture_.damping();
  } else {
    command_.damping.setZero();
  }
  command_.status = CommandStatus::solved;
  last_ = command_;
  return command_;
}

const Command& Failsafe::Impl::blend(const Command& target) {
  command_ = target;
  command_.status = CommandStatus::solved;
  if (level_ == SafetyLevel::stop_moving && level_ticks_ < kBlendTicks) {
    const double share = static_cast<double>(level_ticks_ + 1) / kBlendTicks;
    const auto mix = [share](Eigen::VectorXd& now, const Eigen::VectorXd& before) {
      now = share * now + (1.0 - share) * before;
    };
    mix(command_.torque, last_.torque);
    mix(command_.position, last_.position);
    mix(command_.velocity, last_.velocity);
    mix(command_.stiffness, last_.stiffness);
    mix(command_.damping, last_.damping);
  }
  return command_;
}

Failsafe::Failsafe(const RobotModel& model, const RobotState& start, const RobotState& standing, Controller& controller,
                   double rate_lag_s)
    : impl_(std::make_unique<Impl>(model, start, standing, controller, rate_lag_s)) {}

Failsafe::~Failsafe() = default;

const Command& Failsafe::step(const SensorReadings& readings) { return impl_->step(readings, readings); }
const Command& Failsafe::step(const SensorReadings& raw, const SensorReadings& readings) {
  return impl_->step(raw, readings);
}

void Failsafe::correct(const ModelCorrection& correction) {
  impl_->controller_->correct(correction);
  impl_->posture_.correct(correction);
}

std::span<const Fallback> Failsafe::fallbacks() const { return impl_->fallbacks_.taken(); }
std::span<const Signal> Failsafe::signals() const { return impl_->controller_->signals(); }
SafetyLevel Failsafe::level() const { return impl_->level_; }
Conditions Failsafe::conditions() const { return impl_->conditions_; }

void Failsafe::reset() {
  if (impl_->conditions_.has_any()) {
    std::string names;
    for (const LadderRow& row : kLadder) {
      if (impl_->conditions_.has(row.condition)) names += fmt::format(" {}", row.name);
    }
    throw InvalidValue("failsafe: cannot be reset while these conditions hold:" + names);
  }
  impl_->level_ = SafetyLevel::nominal;
  impl_->level_ticks_ = 0;
  impl_->num_entries_ = 0;
}

ControllerReport Failsafe::report() const {
  ControllerReport report = impl_->controller_->report();
  report.metrics.set("failsafe_level", std::string(name_of(impl_->level_)));
  report.metrics.set("failsafe_first_s",
                     impl_->num_entries_ > 0 ? MetricValue(impl_->entries_[0].time_s) : MetricValue{});
  // A robot that was saved from a NaN of its controller was not controlled well: a fault of ours fails the run.
  if (impl_->nonfinite_commands_ > 0) report.metrics.set("nonfinite_values", impl_->nonfinite_commands_);
  for (std::size_t i = 0; i < impl_->num_entries_; ++i) {
    const Impl::Entry& entry = impl_->entries_[i];
    std::string causes;
    for (const LadderRow& row : kLadder) {
      if (!entry.conditions.has(row.condition)) continue;
      causes += fmt::format("{}{}", causes.empty() ? "" : ", ", row.name);
    }
    report.faults.push_back({.name = fmt::format("failsafe_{}", name_of(entry.level)),
                             .start_s = entry.time_s,
                             .fallback = fmt::format("level entered because of {}", causes)});
  }
  return report;
}

}  // namespace aplomb
