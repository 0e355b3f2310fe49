// How a task-priority controller keeps the CoM's reference where legs and drives can follow it.
#include <algorithm>
#include <cmath>

#include "aplomb/control/task_priority.hpp"

namespace aplomb {
namespace {

constexpr double kBusyBegin = 0.2, kBusyEnd = 0.45;  // of a leg joint's speed: the reference slows down, stops
constexpr double kCareful = 0.3, kCreep = 0.2;       // of the speed: of a careful reference, of one that must stop
constexpr double kAwayFrom = 1e-4;                   // [m] from where all was well: further out counts as away
constexpr int kYieldTicks = 10;                      // for which a drive has to give way to be believed

constexpr double kYieldLoad = 0.85;  // of a drive's torque: from here on it may give way

/// Shares of a leg drive's torque at rest: where the reference slows down, stays behind, stops.
struct HeavyBand {
  double slow, begin, end;
};
constexpr HeavyBand kUsual{.slow = 0.6, .begin = 0.93, .end = 0.99};
constexpr HeavyBand kSpare{.slow = 0.55, .begin = 0.85, .end = 0.95};

}  // namespace

/// 0: all directions of feet and CoM are there; 1 and more: one of them is about to vanish, as with straight knees.
double TaskPriority::lost_authority() const {
  double lost = 0.0;
  for (std::size_t k : {1, 2}) {
    const double longest = problem_.levels[k].A.rowwise().norm().maxCoeff();
    lost = std::max(lost, hierarchy_.solution().levels[k].damping / std::max(5.0 * kRankTolerance * longest, 1e-12));
  }
  return lost;
}

/// Where legs get fast for little motion of the CoM, or straight, and where drives cannot hold, the target slows down
/// and stays behind. The way back is free. Returns the share of its speed that the reference may have.
double TaskPriority::keep_within_means(ComTarget& target) {
  double busy = 0.0, heavy = 0.0;
  bool is_yielding = false;
  for (int i = 0; i < model_->num_joints(); ++i) {
    if (!carries_body_[static_cast<std::size_t>(i)]) continue;
    busy = std::max(busy, std::abs(rates_[i]) / bounds_.speed()[i]);
    heavy = std::max(heavy, std::abs(load_[i]));
    is_yielding |= std::abs(load_[i]) > kYieldLoad && pull_[i] * load_[i] > std::abs(load_[i]);
  }
  yield_ticks_ = is_yielding ? yield_ticks_ + 1 : 0;
  tick_.has_yielded |= yield_ticks_ >= kYieldTicks;
  // A smooth reference is somebody's plan. One that jumps or cannot be reached is nobody's: then, and once a drive gave
  // way, some torque is kept to spare.
  is_careful_ |= tick_.has_yielded || tick_.is_jumping || tick_.is_out_of_reach;
  const HeavyBand& band = is_careful_ ? kSpare : kUsual;
  const double lost = lost_authority();
  const Eigen::Vector3d now = com_way_.position() + com_height_.position();
  // Who starts with straight legs was never well: the best so far counts, from which the way to better is free.
  if (lost <= least_lost_ && heavy <= band.begin) held_com_ = now;
  least_lost_ = std::min(least_lost_, lost);
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

}  // namespace aplomb
