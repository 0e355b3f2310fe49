#include "aplomb/control/task_priority/reference_governor.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/joints/leg_springs.hpp"

namespace aplomb {
namespace {

constexpr double kLagging = 0.02;    // of the CoM's height: a reference that is so far away is not followed
constexpr double kReachShare = 0.5;  // of the soles' half size: where a CoM reference may be
constexpr double kLeash = 0.005;     // of the CoM's height: how far the reference may be ahead of the CoM
constexpr double kBusyBegin = 0.2, kBusyEnd = 0.45;  // of a leg joint's speed: the reference slows down, stops
constexpr double kCareful = 0.3, kCreep = 0.2;       // of the speed: of a careful reference, of one that must stop
constexpr double kAwayFrom = 1e-4;                   // [m] from where all was well: further out counts as away
constexpr int kYieldTicks = 10;                      // for which a drive has to give way to be believed
constexpr double kYieldLoad = 0.85;                  // of a drive's torque: from here on it may give way

/// Shares of a leg drive's torque at rest: where the reference slows down, stays behind, stops.
struct HeavyBand {
  double slow, begin, end;
};
constexpr HeavyBand kUsual{.slow = 0.6, .begin = 0.93, .end = 0.99};
constexpr HeavyBand kSpare{.slow = 0.55, .begin = 0.85, .end = 0.95};

Eigen::Vector3d flat(const Eigen::Vector3d& v) { return {v.x(), v.y(), 0.0}; }
Eigen::Vector3d upright(const Eigen::Vector3d& v) { return {0.0, 0.0, v.z()}; }

}  // namespace

ReferenceGovernor::ReferenceGovernor(const RobotModel& model, const StandingSupport& support,
                                     const Eigen::Vector3d& com, double height)
    : support_(&support),
      height_(height),
      carries_body_(carries_body(model)),
      horizontal_({.speed = 0.15 * std::sqrt(kGravity * height),
                   .acceleration = 0.15 * support.sole_size(kRight).x() * kGravity / height},
                  flat(com)),
      vertical_({.speed = 0.15 * std::sqrt(kGravity * height), .acceleration = 0.1 * kGravity}, upright(com)) {}

void ReferenceGovernor::follow(ComTarget target, const LegState& legs) {
  clamp_to_support(target);
  const Eigen::Vector3d last_velocity = horizontal_.velocity();
  const double ease = hold_back(target, legs);
  horizontal_.follow(flat(target.position), flat(target.velocity), kControlPeriod, ease);
  vertical_.follow(upright(target.position), upright(target.velocity), kControlPeriod, ease);
  lag_ = std::hypot(horizontal_.lag(), vertical_.lag());
  is_jumping_ = lag_ > kLagging * height_;
  // The ZMP of that motion: p = c − h/g c̈.
  const Eigen::Vector3d acceleration = (horizontal_.velocity() - last_velocity) / kControlPeriod;
  zmp_ = (horizontal_.position() - height_ / kGravity * acceleration).head<2>();
}

void ReferenceGovernor::clamp_to_support(ComTarget& target) {
  const Eigen::Vector2d inside = support_->clamp(target.position.head<2>(), kReachShare);
  is_out_of_reach_ = (inside - target.position.head<2>()).norm() > kLagging * height_;
  if (const Eigen::Vector2d beyond = target.position.head<2>() - inside; beyond.norm() > 0.0) {
    // What stays behind at the support's edge does not move outward either.
    const Eigen::Vector2d outward = beyond.normalized();
    target.velocity.head<2>() -= std::max(outward.dot(target.velocity.head<2>()), 0.0) * outward;
  }
  target.position.head<2>() = inside;
}

double ReferenceGovernor::hold_back(ComTarget& target, const LegState& legs) {
  const Eigen::VectorXd& load = legs.drives.static_load();
  const Eigen::VectorXd& pull = legs.drives.spring_load();
  double busy = 0.0, heavy = 0.0;
  bool is_yielding = false;
  for (Eigen::Index i = 0; i < load.size(); ++i) {
    if (!carries_body_[static_cast<std::size_t>(i)]) continue;
    busy = std::max(busy, std::abs(legs.rates[i]) / legs.speed_limits[i]);
    heavy = std::max(heavy, std::abs(load[i]));
    is_yielding |= std::abs(load[i]) > kYieldLoad && pull[i] * load[i] > std::abs(load[i]);
  }
  yield_ticks_ = is_yielding ? yield_ticks_ + 1 : 0;
  has_yielded_ |= yield_ticks_ >= kYieldTicks;
  // A smooth reference is somebody's plan. One that jumps or cannot be reached is nobody's: then, and once a drive gave
  // way, some torque is kept to spare.
  is_careful_ |= has_yielded_ || is_jumping_ || is_out_of_reach_;
  const HeavyBand& band = is_careful_ ? kSpare : kUsual;
  const double lost = legs.lost_authority;
  const Eigen::Vector3d now = position();
  // Who starts with straight legs was never well: the best so far counts, from which the way to better is free.
  if (lost <= least_lost_authority_ && heavy <= band.begin) held_com_ = now;
  least_lost_authority_ = std::min(least_lost_authority_, lost);
  double ease = std::clamp((kBusyEnd - busy) / (kBusyEnd - kBusyBegin), 0.0, 1.0);
  const double slowed = std::clamp((band.end - heavy) / (band.end - band.slow), kCreep, 1.0);
  ease = std::min(ease, (is_careful_ ? kCareful : slowed) * slowed);
  if (!held_com_) return ease;
  const double share = std::clamp((band.end - heavy) / (band.end - band.begin), 0.0, 1.0);
  target.position = *held_com_ + share * (target.position - *held_com_);
  target.velocity *= share;
  const bool is_going_away =
      (target.position - now).dot(now - *held_com_) > 0.0 && (now - *held_com_).norm() > kAwayFrom;
  if (is_going_away) ease = std::min(ease, std::max(1.0 - 2.0 * lost, 0.0));
  return ease;
}

void ReferenceGovernor::limit_lead(const Eigen::Vector3d& com, const Eigen::Vector2d& shift) {
  Eigen::Vector3d shifted = position();
  shifted.head<2>() += shift;
  com_lag_ = (shifted - com).norm();
  is_out_of_reach_ |= com_lag_ > 0.8 * kLeash * height_;
  Eigen::Vector3d reached = com;
  reached.head<2>() -= shift;
  horizontal_.keep_near(flat(reached), kLeash * height_);
  vertical_.keep_near(upright(reached), kLeash * height_);
}

}  // namespace aplomb
