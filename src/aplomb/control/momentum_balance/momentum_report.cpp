#include "aplomb/control/momentum_balance/momentum_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/control/step/step_report.hpp"

namespace aplomb {
namespace {

enum Reason : std::size_t { kFriction, kUnilateral, kCop, kTorqueLinear, kTorque };
constexpr std::array<const char*, 5> kSignals = {"given_up_friction_n", "given_up_unilateral_n", "given_up_cop_nm",
                                                 "given_up_torque_n", "given_up_torque_nm"};

std::vector<Signal> named_signals() {
  std::vector<Signal> signals;
  for (const char* kind : {"wanted", "admitted"}) {
    for (const char* axis : {"x", "y", "z"}) signals.push_back({std::string(kind) + "_linear_rate_" + axis + "_n"});
    for (const char* axis : {"x", "y", "z"}) signals.push_back({std::string(kind) + "_angular_rate_" + axis + "_nm"});
  }
  for (const char* side : {"left", "right"}) {
    for (const char* axis : {"x", "y"}) signals.push_back({std::string(side) + "_cop_command_" + axis + "_m"});
  }
  for (const char* side : {"left", "right"}) signals.push_back({std::string(side) + "_foot_availability"});
  for (const char* reason : kSignals) signals.push_back({reason});
  signals.push_back({"capture_margin_m"});
  signals.push_back({"swing_foot_position_error_m"});
  signals.push_back({"swing_foot_rotation_error_rad"});
  return signals;
}

void keep_largest(std::optional<double>& largest, const std::optional<double>& value) {
  if (value) largest = std::max(largest.value_or(0.0), *value);
}

}  // namespace

MomentumReport::MomentumReport(const Stepping* stepping) : stepping_(stepping), signals_(named_signals()) {
  if (stepping_ == nullptr) return;
  const std::vector<Signal> steps = step_signals();
  signals_.insert(signals_.end(), steps.begin(), steps.end());
}

void MomentumReport::add(const MomentumTick& tick) {
  std::size_t next = 0;
  const auto put = [&](const auto& values) {
    for (Eigen::Index i = 0; i < values.size(); ++i) signals_[next++].value = values[i];
  };
  put(tick.desired.linear);
  put(tick.desired.angular);
  put(tick.admissible.linear);
  put(tick.admissible.angular);
  for (const Eigen::Vector2d& cop : tick.cop) put(cop);
  for (double availability : tick.availability) signals_[next++].value = availability;

  const double linear = (tick.desired.linear - tick.within_contacts.linear).norm();
  const double angular = (tick.desired.angular - tick.within_contacts.angular).norm();
  const double torque_linear = (tick.within_contacts.linear - tick.admissible.linear).norm();
  const double torque = (tick.within_contacts.angular - tick.admissible.angular).norm();
  const std::array<double, 5> given_up = {tick.pulls ? 0.0 : linear, tick.pulls ? linear : 0.0, angular, torque_linear,
                                          torque};
  for (std::size_t reason = 0; reason < given_up.size(); ++reason) {
    signals_[next++].value = given_up[reason];
    given_up_max_[reason] = std::max(given_up_max_[reason], given_up[reason]);
  }
  signals_[next++].value = tick.capture_margin;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  signals_[next++].value = tick.swing_position_error.value_or(kNone);
  signals_[next++].value = tick.swing_rotation_error.value_or(kNone);
  if (stepping_ != nullptr) write_step_signals(*stepping_, std::span(signals_).subspan(next));
  linear_error_max_ = std::max(linear_error_max_, (tick.desired.linear - tick.admissible.linear).norm());
  angular_given_up_max_ = std::max(angular_given_up_max_, (tick.desired.angular - tick.admissible.angular).norm());
  keep_largest(swing_position_error_max_, tick.swing_position_error);
  keep_largest(swing_rotation_error_max_, tick.swing_rotation_error);
  if (tick.is_capture_point_lost && !capture_point_left_s_) capture_point_left_s_ = tick.time_s;
}

Metrics MomentumReport::metrics() const {
  Metrics metrics;
  metrics.set("linear_rate_error_max_n", linear_error_max_);
  metrics.set("angular_rate_given_up_max_nm", angular_given_up_max_);
  metrics.set("given_up_friction_max_n", given_up_max_[kFriction]);
  metrics.set("given_up_unilateral_max_n", given_up_max_[kUnilateral]);
  metrics.set("given_up_cop_max_nm", given_up_max_[kCop]);
  metrics.set("given_up_torque_max_n", given_up_max_[kTorqueLinear]);
  metrics.set("given_up_torque_max_nm", given_up_max_[kTorque]);
  const auto or_null = [](const std::optional<double>& value) { return value ? MetricValue(*value) : MetricValue{}; };
  metrics.set("swing_foot_position_error_max_m", or_null(swing_position_error_max_));
  metrics.set("swing_foot_rotation_error_max_rad", or_null(swing_rotation_error_max_));
  metrics.set("capture_point_left_support_s", or_null(capture_point_left_s_));
  if (stepping_ != nullptr) {
    const Metrics steps = step_metrics(*stepping_);
    for (const auto& [name, value] : steps.entries()) metrics.set(name, value);
  }
  return metrics;
}

std::vector<std::string> MomentumReport::notes() const {
  return stepping_ == nullptr ? std::vector<std::string>{} : step_notes(*stepping_);
}

}  // namespace aplomb
