#include "aplomb/run/metrics/run_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

MetricValue number_or_null(const std::optional<double>& value) {
  return value ? MetricValue(*value) : MetricValue(std::monostate{});
}

void keep_smallest(std::optional<double>& smallest, double value) {
  if (!smallest || value < *smallest) smallest = value;
}

}  // namespace

RunMetrics::RunMetrics(const RobotModel& robot)
    : robot_(&robot),
      commanded_cop_filter_{LowPass<2>(kCopCutoff, Simulation::kControlPeriod),
                            LowPass<2>(kCopCutoff, Simulation::kControlPeriod)} {}

void RunMetrics::add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque,
                     CommandStatus status) {
  time_s_ = now.time_s;
  com_errors_.push_back(now.com_error);
  if (now.has_fallen && !fell_at_s_) fell_at_s_ = now.time_s;
  if (status == CommandStatus::reading_missing) ++held_ticks_;
  if (status == CommandStatus::solve_failed) ++solver_failures_;
  if (status == CommandStatus::deadline_missed) ++deadline_misses_;
  trunk_tilt_max_ = std::max(trunk_tilt_max_, now.trunk_tilt);
  for (int side : {kLeft, kRight}) {
    if (now.is_loaded[side]) keep_smallest(cop_margin_min_, now.cop_margin[side]);
  }
  if (std::isnan(now.zmp_margin)) {
    zmp_exists_ = false;
  } else {
    keep_smallest(zmp_margin_min_, now.zmp_margin);
  }
  for (int i = 0; i < robot_->num_joints(); ++i) {
    const Joint& joint = robot_->joints()[static_cast<std::size_t>(i)];
    torque_peak_ratio_ = std::max(torque_peak_ratio_, std::abs(torque[i]) / joint.effort);
    const double angle = state.q[7 + i];
    joint_limit_margin_min_ = std::min({joint_limit_margin_min_, angle - joint.lower, joint.upper - angle});
  }
  add_slip(now);
  add_jumps(now);
  add_cop_error(now);
}

void RunMetrics::add_cop_error(const Observation& now) {
  for (int side : {kLeft, kRight}) {
    if (!now.is_loaded[side] || !now.commanded_cop[side].allFinite()) continue;
    // Apply the filter of the measured CoP to the commanded one too, so that its delay does not count as an error.
    const Eigen::Vector2d& filtered = commanded_cop_filter_[side].update(now.commanded_cop[side]);
    cop_error_squares_ += (now.cop[side] - filtered).squaredNorm();
    ++num_cop_errors_;
  }
}

void RunMetrics::add_slip(const Observation& now) {
  for (int side : {kLeft, kRight}) {
    if (!now.is_loaded[side]) {
      planted_at_[side].reset();
      continue;
    }
    if (!planted_at_[side]) planted_at_[side] = now.sole_in_ground[side];
    const double slip = (now.sole_in_ground[side] - *planted_at_[side]).head<2>().norm();
    slip_max_ = std::max(slip_max_.value_or(0.0), slip);
  }
}

void RunMetrics::add_jumps(const Observation& now) {
  if (last_torque_) {
    const double torque_jump = (now.commanded_torque - *last_torque_).cwiseAbs().maxCoeff();
    torque_jump_max_ = std::max(torque_jump_max_, torque_jump);
    for (int side : {kLeft, kRight}) {
      const double force_jump = std::abs(now.foot_wrench[side].force.z() - last_normal_force_[side]);
      contact_force_jump_max_ = std::max(contact_force_jump_max_, force_jump);
    }
  }
  last_torque_ = now.commanded_torque;
  for (int side : {kLeft, kRight}) last_normal_force_[side] = now.foot_wrench[side].force.z();
}

Metrics RunMetrics::finish(int warnings) const {
  std::optional<double> rms, max, end;
  if (!com_errors_.empty()) {
    double sum_of_squares = 0.0;
    for (double error : com_errors_) sum_of_squares += error * error;
    rms = std::sqrt(sum_of_squares / static_cast<double>(com_errors_.size()));
    max = *std::ranges::max_element(com_errors_);
    const auto last_half_second =
        std::min(com_errors_.size(), static_cast<std::size_t>(std::lround(0.5 / Simulation::kControlPeriod)));
    double sum = 0.0;
    for (std::size_t i = com_errors_.size() - last_half_second; i < com_errors_.size(); ++i) sum += com_errors_[i];
    end = sum / static_cast<double>(last_half_second);
  }
  Metrics metrics;
  metrics.set("fell", fell_at_s_.has_value());
  metrics.set("fell_at_s", number_or_null(fell_at_s_));
  metrics.set("duration_s", time_s_);
  metrics.set("sim_warnings", std::int64_t{warnings});
  metrics.set("solver_failures", solver_failures_);
  metrics.set("held_ticks", held_ticks_);
  metrics.set("deadline_misses", deadline_misses_);
  metrics.set("nonfinite_values", nonfinite_values_);
  metrics.set("com_error_rms_m", number_or_null(rms));
  metrics.set("com_error_max_m", number_or_null(max));
  metrics.set("com_error_end_m", number_or_null(end));
  metrics.set("trunk_tilt_max_rad", trunk_tilt_max_);
  metrics.set("cop_margin_min_m", number_or_null(cop_margin_min_));
  metrics.set("cop_command_rms_m",
              num_cop_errors_ > 0 ? MetricValue(std::sqrt(cop_error_squares_ / static_cast<double>(num_cop_errors_)))
                                  : MetricValue{});
  metrics.set("zmp_margin_min_m", zmp_exists_ ? number_or_null(zmp_margin_min_) : MetricValue{});
  metrics.set("torque_peak_ratio", torque_peak_ratio_);
  metrics.set("joint_limit_margin_min_rad",
              std::isfinite(joint_limit_margin_min_) ? MetricValue(joint_limit_margin_min_) : MetricValue{});
  metrics.set("slip_max_m", number_or_null(slip_max_));
  metrics.set("torque_jump_max_nm", torque_jump_max_);
  metrics.set("contact_force_jump_max_n", contact_force_jump_max_);
  return metrics;
}

}  // namespace aplomb
