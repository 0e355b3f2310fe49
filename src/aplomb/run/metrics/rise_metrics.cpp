#include "aplomb/run/metrics/rise_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/robot/limbs.hpp"

namespace aplomb {
namespace {

constexpr double kOnSeat = 10.0;        // [N] seat force above which the robot is sitting
constexpr double kOffSeat = 1.0;        // [N] seat force below which the robot is standing
constexpr double kAway = 0.1;           // [s] without load on the seat from which on it counts as left
constexpr double kHold = 2.0;           // [s] after the plan's end the result is judged
constexpr double kImpactCutoff = 50.0;  // [Hz] as of the foot forces
constexpr double kEdge = 0.005;         // [m] distance to the edge of a sole below which the CoP has reached it
constexpr double kSwayWindow = 0.5;     // [s] before the result is judged, for the CoM sway
// Bounds that scale with the leg length; these are for kLegs, the thigh plus shank length of sarcos_real.
constexpr double kLegs = 0.7627, kSway = 0.010, kHipHeight = 0.06, kHipForward = 0.12;  // [m]
constexpr double kHipForwardSeated = 0.06;                                              // [m]
constexpr double kSitting = 0.3;         // [m g] seat force of a robot that sits
constexpr double kSeatForceError = 0.1;  // [m g] of the seat force at the end of a sit-down

MetricValue number_or_null(const std::optional<double>& value) {
  return value ? MetricValue(*value) : MetricValue(std::monostate{});
}

double size_of(const RobotModel& robot) {
  const std::optional<Limbs> limbs = limbs_if_any(robot);
  return limbs ? limbs->leg_length() / kLegs : 1.0;
}

}  // namespace

RiseMetrics::RiseMetrics(const RobotModel& robot, const PlanPlayer& plan)
    : robot_(&robot),
      size_(size_of(robot)),
      start_s_(plan.start_s()),
      end_s_(plan.end_s()),
      judged_s_(plan.end_s() + kHold),
      planned_seat_off_s_(plan.start_s() + plan.seat_off_s() / plan.speed()),
      ends_seated_(plan.plan().contacts.is_active(
          ContactSite::seat, plan.plan().trajectory.time_s(plan.plan().trajectory.num_samples() - 1))),
      loads_(robot, plan),
      touches_(robot, plan),
      has_hands_(hand_share_of(plan.plan().trajectory).cols() > 0),
      hand_force_(kCopCutoff, Simulation::kControlPeriod),
      planned_hand_force_(hand_force_),
      impact_(kImpactCutoff, Simulation::kControlPeriod) {}

void RiseMetrics::add_seat(const Observation& now) {
  last_seat_force_ = now.seat_force;
  if (now.seat_force <= kOnSeat) return;
  const double away = last_on_seat_s_ ? now.time_s - *last_on_seat_s_ : 0.0;
  if (away > kAway && (!bounce_ || away > bounce_->on_s - bounce_->off_s)) bounce_ = {*last_on_seat_s_, now.time_s};
  last_on_seat_s_ = now.time_s;
}

void RiseMetrics::add_force_errors(const Observation& now) {
  if (now.time_s < start_s_ || now.time_s > end_s_) return;
  const auto add = [](const Eigen::Vector3d& difference, ForceError& error) {
    if (!difference.allFinite()) return;  // the plan has no such wrench, or the robot no such hand
    error.squares += error.filter.update(difference).squaredNorm();
    ++error.count;
  };
  add({0.0, 0.0, now.seat_force - now.planned_seat_force}, seat_error_);
  for (int side : {kLeft, kRight}) add(now.hand_force[side] - now.planned_hand_force[side], hand_errors_[side]);
}

void RiseMetrics::add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque) {
  if (now.has_fallen && !fell_at_s_) fell_at_s_ = now.time_s;
  add_seat(now);
  add_force_errors(now);
  loads_.add(now, state, torque);
  touches_.add(now, state);
  if (has_hands_) {
    const double pushed = now.hand_force[kLeft].z() + now.hand_force[kRight].z();
    const double slow = hand_force_.update(Eigen::Matrix<double, 1, 1>(pushed))[0];
    double wanted = 0.0;
    for (int side : {kLeft, kRight}) {
      const double one = now.planned_hand_force[side].z();
      if (std::isfinite(one)) wanted += one;
    }
    const double slow_wanted = planned_hand_force_.update(Eigen::Matrix<double, 1, 1>(wanted))[0];
    if (now.time_s >= start_s_) {
      hand_force_max_ = std::max(hand_force_max_, slow);
      planned_hand_force_max_ = std::max(planned_hand_force_max_, slow_wanted);
    }
  }
  if (now.time_s > judged_s_ + 1e-9) return;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tick tick{now.time_s, nan, nan, now.com.x() - now.com_reference.x(), nan, now.com.head<2>(), now.seat_force};
  for (int side : {kLeft, kRight}) {
    if (!now.is_loaded[side] || now.seat_force > kOnSeat) continue;
    const Sole& sole = *robot_->description().soles[side];
    const double heel = now.cop[side].x() - sole.x_min, toe = sole.x_max - now.cop[side].x();
    tick.heel = std::isnan(tick.heel) ? heel : std::min(tick.heel, heel);
    tick.toe = std::isnan(tick.toe) ? toe : std::min(tick.toe, toe);
  }
  tick.cop_error = now.zmp.x() - now.planned_zmp.x();
  ticks_.push_back(tick);
  hip_error_ = now.pelvis - now.planned_pelvis;
  planned_seat_force_ = now.planned_seat_force;
}

void RiseMetrics::add_fall(const Observation& now) {
  if (velocity_) {
    // m (c̈ + g e_z) is the force of everything that touches the robot.
    const Eigen::Vector3d change = (now.com_velocity - *velocity_) / Simulation::kControlPeriod;
    const Eigen::Vector3d force = robot_->mass() * (change + kGravity * Eigen::Vector3d::UnitZ());
    impact_peak_ = std::max(impact_peak_.value_or(0.0), impact_.update(force).norm());
  }
  velocity_ = now.com_velocity;
}

std::optional<double> RiseMetrics::seat_off_s() const {
  if (!last_on_seat_s_ || last_seat_force_ > kOnSeat) return std::nullopt;
  return last_on_seat_s_;
}

double RiseMetrics::seat_force_end() const {
  double sum = 0.0, count = 0.0;
  for (auto tick = ticks_.rbegin(); tick != ticks_.rend() && tick->time_s > judged_s_ - kSwayWindow; ++tick) {
    sum += tick->seat_force;
    count += 1.0;
  }
  return sum / std::max(count, 1.0);
}

bool RiseMetrics::has_stood_up() const {
  return is_judged() && !fell_at_s_ && last_seat_force_ < kOffSeat && is_in_place(kHipForward);
}

bool RiseMetrics::has_sat_down() const {
  const double weight = robot_->mass() * kGravity;
  const bool bears = std::abs(seat_force_end() - planned_seat_force_) <= kSeatForceError * weight;
  return is_judged() && !fell_at_s_ && bears && is_in_place(kHipForwardSeated);
}

bool RiseMetrics::is_in_place(double most_forward) const {
  if (std::abs(hip_error_.z()) > size_ * kHipHeight || std::abs(hip_error_.x()) > size_ * most_forward) return false;
  return is_at_rest();
}

std::string RiseMetrics::outcome() const {
  if (ends_seated_ ? has_sat_down() : has_stood_up()) return ends_seated_ ? "sat_down" : "stood_up";
  if (fell_at_s_) return "fell";
  if (!is_judged() || !is_at_rest()) return "unsettled";
  if (seat_force_end() > kSitting * robot_->mass() * kGravity) return "sat_back";
  return last_seat_force_ < kOffSeat ? "stood_back" : "unsettled";
}

bool RiseMetrics::is_at_rest() const {
  Eigen::Vector2d low = ticks_.back().com, high = low;
  for (auto tick = ticks_.rbegin(); tick != ticks_.rend() && tick->time_s > judged_s_ - kSwayWindow; ++tick) {
    low = low.cwiseMin(tick->com);
    high = high.cwiseMax(tick->com);
  }
  return (high - low).norm() < size_ * kSway;
}

void RiseMetrics::finish(Metrics& metrics) const {
  const std::optional<double> off = seat_off_s();
  std::optional<double> heel, toe, error_max, drift;
  double error_squares = 0.0, cop_squares = 0.0;
  std::size_t errors = 0, cops = 0;
  std::optional<Eigen::Vector2d> held;
  for (const Tick& tick : ticks_) {
    if (tick.time_s >= start_s_) {
      error_squares += tick.com_x_error * tick.com_x_error;
      error_max = std::max(error_max.value_or(0.0), std::abs(tick.com_x_error));
      ++errors;
    }
    if (ends_seated_ ? tick.time_s >= start_s_ : off && tick.time_s > *off) {
      if (!std::isnan(tick.heel)) {
        heel = std::min(heel.value_or(tick.heel), tick.heel);
        toe = std::min(toe.value_or(tick.toe), tick.toe);
      }
      if (!std::isnan(tick.cop_error) && tick.time_s <= end_s_) {
        cop_squares += tick.cop_error * tick.cop_error;
        ++cops;
      }
    }
    if (tick.time_s >= end_s_) {
      if (!held) held = tick.com;
      drift = std::max(drift.value_or(0.0), (tick.com - *held).norm());
    }
  }
  const auto rms = [](double squares, std::size_t count) -> MetricValue {
    return count > 0 ? MetricValue(std::sqrt(squares / static_cast<double>(count))) : MetricValue{};
  };
  metrics.set("stood_up", ends_seated_ ? MetricValue{} : MetricValue(has_stood_up()));
  metrics.set("sat_down", ends_seated_ ? MetricValue(has_sat_down()) : MetricValue{});
  metrics.set("seat_off_s", number_or_null(off));
  metrics.set("seat_off_planned_s", planned_seat_off_s_);
  metrics.set("heel_margin_min_m", number_or_null(heel));
  metrics.set("toe_margin_min_m", number_or_null(toe));
  metrics.set("com_x_error_rms_m", rms(error_squares, errors));
  metrics.set("com_x_error_max_m", number_or_null(error_max));
  metrics.set("cop_zmp_rms_m", rms(cop_squares, cops));
  metrics.set("hold_drift_m", is_judged() ? number_or_null(drift) : MetricValue{});
  loads_.finish(metrics);
  touches_.finish(metrics);
  metrics.set("hand_force_max_n", has_hands_ ? MetricValue(hand_force_max_) : MetricValue{});
  const bool has_peak = has_hands_ && planned_hand_force_max_ > 0.0;
  metrics.set("hand_force_peak_ratio",
              has_peak ? MetricValue(hand_force_max_ / planned_hand_force_max_) : MetricValue{});
  metrics.set("impact_peak_n", number_or_null(impact_peak_));
  metrics.set("seat_force_error_rms_n", rms(seat_error_.squares, seat_error_.count));
  metrics.set("hand_force_error_rms_n", rms(hand_errors_[kLeft].squares + hand_errors_[kRight].squares,
                                            hand_errors_[kLeft].count + hand_errors_[kRight].count));
  const std::string outcome = this->outcome();
  metrics.set("rise_outcome", outcome);
  metrics.set("ended_safely", outcome != "fell" && outcome != "unsettled");
  const std::string why = reason();
  metrics.set("rise_failure", why.empty() ? MetricValue{} : MetricValue(why));
}

std::string RiseMetrics::seat_failure() const {
  if (!last_on_seat_s_) return "The robot never sat on the seat.";
  if (!bounce_) return "The robot did not leave the seat.";
  return fmt::format("The robot left the seat at {:.2f} s and was back on it at {:.2f} s.", bounce_->off_s,
                     bounce_->on_s);
}

std::string RiseMetrics::reason() const {
  if (ends_seated_ ? has_sat_down() : has_stood_up()) return {};
  const std::optional<double> off = seat_off_s();
  if (!ends_seated_ && !off && !fell_at_s_) return seat_failure();
  const double from = std::min(off.value_or(planned_seat_off_s_), planned_seat_off_s_);
  for (const Tick& tick : ticks_) {
    if (tick.time_s <= from || std::isnan(tick.heel)) continue;
    const bool is_heel = tick.heel < kEdge;
    if (!is_heel && tick.toe >= kEdge) continue;
    return fmt::format("The CoP reached the {} at {:.2f} s: the weight was too far {}.", is_heel ? "heels" : "toes",
                       tick.time_s, is_heel ? "back" : "forward");
  }
  if (fell_at_s_)
    return fmt::format("The robot fell at {:.2f} s without its CoP at an edge of the soles.", *fell_at_s_);
  if (!is_judged()) return fmt::format("The run ended before {:.2f} s, two seconds after the plan's end.", judged_s_);
  if (ends_seated_ && !last_on_seat_s_) return "The robot never sat on the seat.";
  if (ends_seated_ && std::abs(seat_force_end() - planned_seat_force_) > kSeatForceError * robot_->mass() * kGravity) {
    return fmt::format("At {:.2f} s the seat carried {:.0f} N where {:.0f} N are planned.", judged_s_, seat_force_end(),
                       planned_seat_force_);
  }
  if (!ends_seated_ && last_seat_force_ >= kOffSeat)
    return fmt::format("The seat still carries {:.0f} N at the end.", last_seat_force_);
  return fmt::format("At {:.2f} s the hips were {:.0f} mm high and {:.0f} mm forward of the plan, or still moved.",
                     judged_s_, 1e3 * hip_error_.z(), 1e3 * hip_error_.x());
}

}  // namespace aplomb
