#include "aplomb/control/task_priority/reference_governor.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/joints/leg_springs.hpp"

namespace aplomb {
namespace {

// Vertical acceleration limit of the reference: the load of the legs changes by a tenth of the weight.
constexpr double kVerticalAcceleration = 0.1 * kGravity;  // [m/s²]
// Lag of the reference behind its target, over the CoM's height, above which the target counts as jumping or out of
// reach. Tuned: 6 mm on HOAP-3.
constexpr double kLargestLag = 0.02;
// Lead of the reference over the commanded CoM, over the CoM's height: 1.5 mm on HOAP-3. Where the CoM cannot follow
// (bounds, lost rank), a larger lead delays the CoM's return. Tuned.
constexpr double kLargestLead = 0.005;
constexpr double kReportedLead = 0.8 * kLargestLead;  // from here on the target counts as out of reach
// Speed of a leg joint over its limit at which the reference begins to slow down, and stops: joints that become fast
// for little CoM motion announce a singular leg. The rest of the speed remains for feet, trunk and ZMP feedback. Tuned.
constexpr double kFastBegin = 0.2, kFastEnd = 0.45;
constexpr double kCarefulSpeed = 0.3;  // fraction of the speed limit once the target jumped or a drive yielded. Tuned
constexpr double kLeastSpeed = 0.2;  // fraction of the speed limit next to the torque limit: it must be able to return
constexpr double kAwayFrom = 1e-4;   // [m] from the last reference that could be followed; nearer is rounding
constexpr double kYieldLoad = 0.85;  // static load over limit above which a drive is watched for yielding. Tuned
constexpr int kYieldTicks = 10;      // [ticks] for which a drive must yield to count: noise does not last. Tuned
constexpr double kAuthoritySlope = 2.0;  // the reference stops where half of the authority (TaskStack) is lost. Tuned

/// Static load of a leg drive, over its torque limit, at which the reference slows down, begins to be held back, and
/// stops. The remainder up to 1 is for the torque of the motion itself. Tuned.
struct LoadBand {
  double slow, begin, end;
};
constexpr LoadBand kUsual{.slow = 0.6, .begin = 0.93, .end = 0.99};
constexpr LoadBand kReserve{.slow = 0.55, .begin = 0.85, .end = 0.95};  // with a torque reserve, once careful

Eigen::Vector3d horizontal_part(const Eigen::Vector3d& v) { return {v.x(), v.y(), 0.0}; }
Eigen::Vector3d vertical_part(const Eigen::Vector3d& v) { return {0.0, 0.0, v.z()}; }

}  // namespace

ReferenceGovernor::ReferenceGovernor(const RobotModel& model, const StandingSupport& support,
                                     const TaskPriority::Settings& settings, const Eigen::Vector3d& com, double height)
    : support_(&support),
      height_(height),
      reach_(settings.com_reach),
      carries_body_(carries_body(model)),
      horizontal_({.speed = settings.com_speed * std::sqrt(kGravity * height),
                   .acceleration = settings.com_acceleration * support.sole_size(kRight).x() * kGravity / height},
                  horizontal_part(com)),
      vertical_({.speed = settings.com_speed * std::sqrt(kGravity * height), .acceleration = kVerticalAcceleration},
                vertical_part(com)) {}

void ReferenceGovernor::follow(ComTarget target, const LegState& legs) {
  clamp_to_support(target);
  const Eigen::Vector3d last_velocity = horizontal_.velocity();
  const double speed_fraction = hold_back(target, legs);
  horizontal_.follow(horizontal_part(target.position), horizontal_part(target.velocity), kControlPeriod,
                     speed_fraction);
  vertical_.follow(vertical_part(target.position), vertical_part(target.velocity), kControlPeriod, speed_fraction);
  lag_ = std::hypot(horizontal_.lag(), vertical_.lag());
  is_jumping_ = lag_ > kLargestLag * height_;
  // The ZMP of that motion: p = c − h/g c̈.
  const Eigen::Vector3d acceleration = (horizontal_.velocity() - last_velocity) / kControlPeriod;
  zmp_ = (horizontal_.position() - height_ / kGravity * acceleration).head<2>();
}

void ReferenceGovernor::clamp_to_support(ComTarget& target) {
  const Eigen::Vector2d inside = support_->clamp(target.position.head<2>(), reach_);
  is_out_of_reach_ = (inside - target.position.head<2>()).norm() > kLargestLag * height_;
  if (const Eigen::Vector2d beyond = target.position.head<2>() - inside; beyond.norm() > 0.0) {
    // A target that is clamped to the edge does not move outward either.
    const Eigen::Vector2d outward = beyond.normalized();
    target.velocity.head<2>() -= std::max(outward.dot(target.velocity.head<2>()), 0.0) * outward;
  }
  target.position.head<2>() = inside;
}

double ReferenceGovernor::hold_back(ComTarget& target, const LegState& legs) {
  const Eigen::VectorXd& static_load = legs.drives.static_load();
  const Eigen::VectorXd& spring_load = legs.drives.spring_load();
  double speed_ratio = 0.0, load_ratio = 0.0;
  bool is_yielding = false;
  for (Eigen::Index i = 0; i < static_load.size(); ++i) {
    if (!carries_body_[static_cast<std::size_t>(i)]) continue;
    speed_ratio = std::max(speed_ratio, std::abs(legs.rates[i]) / legs.speed_limits[i]);
    load_ratio = std::max(load_ratio, std::abs(static_load[i]));
    is_yielding |= std::abs(static_load[i]) > kYieldLoad && spring_load[i] * static_load[i] > std::abs(static_load[i]);
  }
  yield_ticks_ = is_yielding ? yield_ticks_ + 1 : 0;
  has_yielded_ |= yield_ticks_ >= kYieldTicks;
  // A smooth reference is assumed to be planned for this robot. Once it jumps or cannot be reached, or once a drive has
  // yielded, a torque reserve is kept.
  is_careful_ |= has_yielded_ || is_jumping_ || is_out_of_reach_;
  const LoadBand& band = is_careful_ ? kReserve : kUsual;
  const double lost = legs.lost_authority;
  const Eigen::Vector3d now = position();
  // A robot that starts with straight legs never had full authority: then the best so far counts, and the reference is
  // free to move towards more.
  if (lost <= least_lost_authority_ && load_ratio <= band.begin) held_com_ = now;
  least_lost_authority_ = std::min(least_lost_authority_, lost);
  double speed_fraction = std::clamp((kFastEnd - speed_ratio) / (kFastEnd - kFastBegin), 0.0, 1.0);
  const double slowed = std::clamp((band.end - load_ratio) / (band.end - band.slow), kLeastSpeed, 1.0);
  speed_fraction = std::min(speed_fraction, (is_careful_ ? kCarefulSpeed : slowed) * slowed);
  if (!held_com_) return speed_fraction;
  const double fraction = std::clamp((band.end - load_ratio) / (band.end - band.begin), 0.0, 1.0);
  target.position = *held_com_ + fraction * (target.position - *held_com_);
  target.velocity *= fraction;
  const bool is_going_away =
      (target.position - now).dot(now - *held_com_) > 0.0 && (now - *held_com_).norm() > kAwayFrom;
  if (is_going_away) speed_fraction = std::min(speed_fraction, std::max(1.0 - kAuthoritySlope * lost, 0.0));
  return speed_fraction;
}

void ReferenceGovernor::limit_lead(const Eigen::Vector3d& com, const Eigen::Vector2d& shift) {
  Eigen::Vector3d shifted = position();
  shifted.head<2>() += shift;
  com_lag_ = (shifted - com).norm();
  is_out_of_reach_ |= com_lag_ > kReportedLead * height_;
  Eigen::Vector3d reached = com;
  reached.head<2>() -= shift;
  horizontal_.keep_near(horizontal_part(reached), kLargestLead * height_);
  vertical_.keep_near(vertical_part(reached), kLargestLead * height_);
}

}  // namespace aplomb
