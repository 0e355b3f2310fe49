#include "aplomb/run/metrics/force_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kNear = 0.020 + 1e-6;  // [s] largest time difference from an event
constexpr double kTouch = 1.0;          // [N] normal force above which a hand is in contact
constexpr double kFootTouch = 0.1;      // [N] normal force above which a foot is in contact

}  // namespace

void ForceMetrics::place(const RobotModel& robot, const Simulation& simulation) {
  for (int side : {kLeft, kRight}) {
    const std::string& link = robot.description().roles.hand[side];
    if (!hand_forces_[side] || link.empty() || simulation.world().walls.empty()) continue;
    RobotTerms terms(robot, std::vector<FrameId>{robot.frame(link)});
    terms.update(simulation.state());
    const Eigen::Vector3d at = terms.frame(robot.frame(link)).T_world_frame.translation();
    const auto distance = [&](const Wall& wall) { return std::abs(wall.normal.dot(at - wall.position)); };
    hands_[side] = Hand{.normal = std::ranges::min_element(simulation.world().walls, {}, distance)->normal};
  }
}

void ForceMetrics::add(const Observation& now) {
  for (int side : {kLeft, kRight}) {
    if (hands_[side]) add_hand(side, now);
  }
  if (!steps_.empty()) add_jumps(now);
}

void ForceMetrics::add_hand(int side, const Observation& now) {
  Hand& hand = *hands_[side];
  const HandForce& wanted = *hand_forces_[side];
  const Eigen::Vector3d error = now.hand_force[side] - wanted.at(now.time_s) * hand.normal;
  const double size = wanted.has_tangents ? error.norm() : std::abs(hand.normal.dot(error));
  force_squares_ += size * size;
  ++num_forces_;
  force_error_max_ = std::max(force_error_max_, size);
  speed_max_ = std::max(speed_max_, now.hand_velocity[side].norm());
  if (hand.normal.dot(now.hand_force[side]) < kTouch) {
    hand.touched_at.reset();
    return;
  }
  if (!hand.touched_at) hand.touched_at = now.hand[side];
  const Eigen::Vector3d way = now.hand[side] - *hand.touched_at;
  slip_max_ = std::max(slip_max_, (way - hand.normal.dot(way) * hand.normal).norm());
}

void ForceMetrics::add_jumps(const Observation& now) {
  if (last_) {
    Jumps jumps{.time_s = now.time_s,
                .torque = (now.commanded_torque - last_->commanded_torque).cwiseAbs().maxCoeff(),
                .zmp = (now.raw_zmp - last_->raw_zmp).norm()};
    for (int side : {kLeft, kRight}) {
      const double before = last_->foot_wrench[side].force.z(), after = now.foot_wrench[side].force.z();
      jumps.foot_force = std::max(jumps.foot_force, std::abs(after - before));
      if (before >= kFootTouch || after < kFootTouch) continue;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const FootStep& step = steps_[i].step;
        const bool is_late = now.time_s >= 0.5 * (step.lift_off_s + step.touch_down_s);
        if (step.foot == side && is_late && !touch_down_s_[i]) touch_down_s_[i] = now.time_s;
      }
    }
    jumps_.push_back(jumps);
  }
  last_ = now;
}

void ForceMetrics::Jumps::take(const Jumps& other) {
  torque = std::max(torque, other.torque);
  foot_force = std::max(foot_force, other.foot_force);
  zmp = std::max(zmp, other.zmp);
}

ForceMetrics::Jumps ForceMetrics::worst_near(double event_s) const {
  Jumps worst;
  for (const Jumps& jumps : jumps_) {
    if (std::abs(jumps.time_s - event_s) <= kNear) worst.take(jumps);
  }
  return worst;
}

void ForceMetrics::add_metrics(Metrics& metrics) const {
  if (num_forces_ > 0) {
    metrics.set("hand_force_rmse_n", std::sqrt(force_squares_ / static_cast<double>(num_forces_)));
    metrics.set("hand_force_error_max_n", force_error_max_);
    metrics.set("hand_slip_max_m", slip_max_);
    metrics.set("hand_speed_max_m_per_s", speed_max_);
  }
  if (steps_.empty()) return;
  Jumps lift_off, rigid, touch_down;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    lift_off.take(worst_near(steps_[i].step.lift_off_s));
    rigid.take(worst_near(steps_[i].step.carry_s));
    if (touch_down_s_[i]) touch_down.take(worst_near(*touch_down_s_[i]));
  }
  metrics.set("zmp_jump_liftoff_m", lift_off.zmp);
  metrics.set("zmp_jump_switch_m", rigid.zmp);
  metrics.set("foot_force_jump_liftoff_n", lift_off.foot_force);
  metrics.set("foot_force_jump_switch_n", rigid.foot_force);
  metrics.set("torque_jump_liftoff_nm", lift_off.torque);
  metrics.set("torque_jump_switch_nm", rigid.torque);
  const bool has_landed = std::ranges::all_of(touch_down_s_, [](const auto& time_s) { return time_s.has_value(); });
  metrics.set("touchdown_force_jump_n", has_landed ? MetricValue(touch_down.foot_force) : MetricValue{});
  metrics.set("touchdown_torque_jump_nm", has_landed ? MetricValue(touch_down.torque) : MetricValue{});
}

}  // namespace aplomb
