#include "aplomb/motion/foot_step.hpp"

#include <algorithm>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

// Fractions of the swing time between which the foot is moved, lifted and lowered; the slow descent ends at kTouch.
constexpr double kOverBegin = 0.1, kOverEnd = 0.7;
constexpr double kUpEnd = 0.35, kDownBegin = 0.4, kDownEnd = 0.75;
constexpr double kTouch = 0.99;

constexpr double kHover = 5e-4;    // [m] height at which the slow descent begins: above the height error of the ground
constexpr double kDeepest = 3e-3;  // [m] depth below the planned ground at which the descent ends

void add(FootStep::Offset& offset, const Eigen::Vector3d& way, const AxisMotion& motion) {
  offset.position += motion.position * way;
  offset.velocity += motion.velocity * way;
  offset.acceleration += motion.acceleration * way;
}

}  // namespace

FootStep::Offset FootStep::at(double time_s) const {
  Offset offset;
  if (time_s <= lift_off_s) return offset;
  const double swing = touch_down_s - lift_off_s;
  const double t = time_s - lift_off_s;
  const Eigen::Vector3d up(0.0, 0.0, lift);
  add(offset, step, minimum_jerk(t - kOverBegin * swing, (kOverEnd - kOverBegin) * swing));
  add(offset, up, minimum_jerk(t, kUpEnd * swing));
  add(offset, Eigen::Vector3d(0.0, 0.0, kHover) - up,
      minimum_jerk(t - kDownBegin * swing, (kDownEnd - kDownBegin) * swing));
  const double speed = kHover / ((kTouch - kDownEnd) * swing);
  const double way = std::clamp(speed * (t - kDownEnd * swing), 0.0, kHover + kDeepest);
  offset.position.z() -= way;
  if (way > 0.0 && way < kHover + kDeepest) offset.velocity.z() -= speed;
  return offset;
}

void FootStep::delay(double late_s) {
  lift_off_s += late_s;
  touch_down_s += late_s;
  carry_s += late_s;
}

double FootStep::share(double time_s) const {
  if (time_s < touch_down_s) return 1.0 - minimum_jerk(time_s - unload_s, lift_off_s - unload_s).position;
  return minimum_jerk(time_s - touch_down_s, carry_s - touch_down_s).position;
}

}  // namespace aplomb
