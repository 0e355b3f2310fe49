#include "aplomb/motion/profile/point_motion.hpp"

#include <cmath>
#include <numbers>

namespace aplomb {
namespace {

PointMotion::Offset on_circle(const PointMotion::Circle& circle, double time_s) {
  const double omega = 2.0 * std::numbers::pi / circle.period_s;
  // The angular speed fades in; after the ramp the angle is ω (t − ramp/2).
  double angle = 0.0, rate = 0.0;
  const double ramp = circle.ramp_s;
  if (time_s < ramp) {
    const double s = time_s / ramp;  // the integral of 10 s³ − 15 s⁴ + 6 s⁵
    angle = omega * ramp * s * s * s * s * (2.5 + s * (-3.0 + s));
    rate = omega * minimum_jerk(time_s, ramp).position;
  } else {
    angle = omega * (time_s - 0.5 * ramp);
    rate = omega;
  }
  return {.position = circle.radius * ((std::cos(angle) - 1.0) * circle.first + std::sin(angle) * circle.second),
          .velocity = circle.radius * rate * (-std::sin(angle) * circle.first + std::cos(angle) * circle.second)};
}

}  // namespace

PointMotion::Offset PointMotion::at(double time_s) const {
  Offset offset;
  if (circle.radius > 0.0 && time_s > circle.begin_s) offset = on_circle(circle, time_s - circle.begin_s);
  ComReference::Point from;
  for (const ComReference::Point& to : points) {
    if (time_s < to.time_s) {
      const Eigen::Vector3d way = to.offset - from.offset;
      const AxisMotion motion = minimum_jerk(time_s - from.time_s, to.time_s - from.time_s);
      offset.position += from.offset + motion.position * way;
      offset.velocity += motion.velocity * way;
      return offset;
    }
    from = to;
  }
  offset.position += from.offset;
  return offset;
}

}  // namespace aplomb
