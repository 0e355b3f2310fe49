#include "aplomb/run/metrics/rise_loads.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/zero_phase.hpp"

namespace aplomb {
namespace {

constexpr double kForceCutoff = 50.0;  // [Hz] of the low-pass of the foot forces: removes single ticks without contact
constexpr double kTouchWindow = 0.02;  // [s] before and after a touch in which force jumps are left out
constexpr std::size_t kSeat = 2;       // index of the seat, after both feet
constexpr double kSaturated = 0.999;   // fraction of its limit from which on a torque is saturated

MetricValue number_or_null(const std::optional<double>& value) {
  return value ? MetricValue(*value) : MetricValue(std::monostate{});
}

bool is_limit(double limit) { return std::isfinite(limit) && limit > 0.0; }

void keep_largest(std::optional<double>& largest, double value) { largest = std::max(largest.value_or(value), value); }

bool is_near(const std::vector<double>& touches, double time_s) {
  return std::ranges::any_of(touches, [time_s](double touch_s) { return std::abs(time_s - touch_s) <= kTouchWindow; });
}

}  // namespace

RiseLoads::RiseLoads(const RobotModel& robot, const PlanPlayer& plan) : robot_(&robot), start_s_(plan.start_s()) {
  const double begin_s = plan.plan().trajectory.start_s;
  for (const ContactPlan::Contact& contact : plan.plan().contacts.contacts) {
    if (contact.start_s > begin_s) touches_.push_back(start_s_ + (contact.start_s - begin_s) / plan.speed());
  }
}

void RiseLoads::add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque) {
  add_forces(now);
  add_joints(now, state, torque);
}

void RiseLoads::add_forces(const Observation& now) {
  const auto window = static_cast<int>(std::lround(kTouchWindow / Simulation::kControlPeriod));
  const std::array<double, 3> loads = {now.foot_wrench[kLeft].force.z(), now.foot_wrench[kRight].force.z(),
                                       now.seat_force};
  for (std::size_t i = 0; i < loads.size(); ++i) {
    // Contact that is lost for a few ticks only is chatter, and its return no touch.
    if (loads[i] > 0.0 && ticks_in_air_[i] >= window) felt_touches_[i].push_back(now.time_s);
    ticks_in_air_[i] = loads[i] > 0.0 ? 0 : ticks_in_air_[i] + 1;
  }
  if (now.time_s < start_s_) return;
  times_.push_back(now.time_s);
  for (int side : {kLeft, kRight}) forces_.push_back(now.foot_wrench[side].force.z());
}

void RiseLoads::add_joints(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque) {
  const bool is_counted = now.time_s >= start_s_;
  bool is_saturated = false;
  for (int i = 0; is_counted && i < robot_->num_joints(); ++i) {
    const Joint& joint = robot_->joints()[static_cast<std::size_t>(i)];
    if (is_limit(joint.velocity)) keep_largest(speed_ratio_, std::abs(state.v[6 + i]) / joint.velocity);
    if (!is_limit(joint.effort)) continue;
    is_saturated = is_saturated || std::abs(torque[i]) >= kSaturated * joint.effort;
  }
  if (is_saturated) ++saturated_ticks_;
  add_torques(now.commanded_torque, is_counted);
}

void RiseLoads::add_torques(const Eigen::VectorXd& commanded, bool is_counted) {
  const bool is_first = drives_.empty();
  if (is_first) drives_.resize(static_cast<std::size_t>(robot_->num_joints()));
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const double limit = robot_->joints()[i].effort;
    if (!is_limit(limit)) continue;
    Drive& drive = drives_[i];
    const double ratio = commanded[static_cast<Eigen::Index>(i)] / limit, slow_before = drive.filter.value()[0];
    const double slow = drive.filter.update(Eigen::Matrix<double, 1, 1>(ratio))[0];
    if (!is_first && is_counted) {
      keep_largest(torque_jump_ratio_, std::abs(ratio - drive.last));
      keep_largest(slow_torque_jump_ratio_, std::abs(slow - slow_before));
      drive.squares += (ratio - drive.last) * (ratio - drive.last);
    }
    drive.last = ratio;
  }
  if (!is_first && is_counted) ++torque_changes_;
}

double RiseLoads::force_jump(const Eigen::MatrixXd& forces) const {
  double largest = 0.0;
  for (Eigen::Index i = 1; i < forces.cols(); ++i) {
    const double time_s = times_[static_cast<std::size_t>(i)];
    if (is_near(touches_, time_s) || is_near(felt_touches_[kSeat], time_s)) continue;
    for (int side : {kLeft, kRight}) {
      if (is_near(felt_touches_[side], time_s)) continue;
      largest = std::max(largest, std::abs(forces(side, i) - forces(side, i - 1)));
    }
  }
  return largest;
}

void RiseLoads::finish(Metrics& metrics) const {
  std::optional<double> peak, jump, raw_jump, saturated, torque_rms;
  if (!times_.empty()) {
    saturated = Simulation::kControlPeriod * static_cast<double>(saturated_ticks_);
    const Eigen::Map<const Eigen::MatrixXd> raw(forces_.data(), 2, static_cast<Eigen::Index>(times_.size()));
    const Eigen::MatrixXd filtered = ZeroPhaseFilter(kForceCutoff, 1.0 / Simulation::kControlPeriod).filtered(raw);
    peak = filtered.colwise().sum().maxCoeff() / (robot_->mass() * kGravity);
    jump = force_jump(filtered);
    raw_jump = force_jump(raw);
  }
  if (slow_torque_jump_ratio_) {
    double most = 0.0;
    for (const Drive& drive : drives_) most = std::max(most, drive.squares);
    torque_rms = std::sqrt(most / static_cast<double>(torque_changes_));
  }
  metrics.set("joint_speed_ratio_max", number_or_null(speed_ratio_));
  metrics.set("torque_saturated_s", number_or_null(saturated));
  metrics.set("torque_jump_ratio_max", number_or_null(torque_jump_ratio_));
  metrics.set("torque_jump_slow_ratio_max", number_or_null(slow_torque_jump_ratio_));
  metrics.set("torque_jump_ratio_rms", number_or_null(torque_rms));
  metrics.set("foot_force_peak_per_weight", number_or_null(peak));
  metrics.set("foot_force_jump_max_n", number_or_null(jump));
  metrics.set("foot_force_jump_raw_max_n", number_or_null(raw_jump));
}

}  // namespace aplomb
