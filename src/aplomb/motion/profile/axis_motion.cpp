#include "aplomb/motion/profile/axis_motion.hpp"

#include <cmath>
#include <numbers>

namespace aplomb {

AxisMotion minimum_jerk(double time_s, double duration_s) {
  if (time_s >= duration_s) return {.position = 1.0};
  if (time_s <= 0.0) return {};
  const double s = time_s / duration_s;
  return {.position = s * s * s * (10.0 + s * (-15.0 + 6.0 * s)),
          .velocity = 30.0 * s * s * (1.0 - s) * (1.0 - s) / duration_s,
          .acceleration = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (duration_s * duration_s)};
}

AxisMotion FadedSine::at(double time_s) const {
  const double omega = 2.0 * std::numbers::pi / period_s;
  const double angle = omega * time_s + phase;
  const AxisMotion sine{.position = amplitude * std::sin(angle) + offset,
                        .velocity = amplitude * omega * std::cos(angle),
                        .acceleration = -amplitude * omega * omega * std::sin(angle)};
  const AxisMotion fade = minimum_jerk(time_s, ramp_s);
  // The product rule, twice.
  return {.position = fade.position * sine.position,
          .velocity = fade.velocity * sine.position + fade.position * sine.velocity,
          .acceleration = fade.acceleration * sine.position + 2.0 * fade.velocity * sine.velocity +
                          fade.position * sine.acceleration};
}

}  // namespace aplomb
