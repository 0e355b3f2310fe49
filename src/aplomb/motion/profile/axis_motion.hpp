#pragma once

namespace aplomb {

/// Position (or angle), velocity and acceleration along one axis.
struct AxisMotion {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
};

/// Minimum-jerk profile 10 s³ − 15 s⁴ + 6 s⁵ from 0 to 1 in `duration_s`, with zero velocity and acceleration at both
/// ends; 0 before, 1 after.
AxisMotion minimum_jerk(double time_s, double duration_s);

/// The sinusoid A sin(2π t/T + φ) + offset, faded in over `ramp_s` by `minimum_jerk` so that it starts at rest. [m] or
/// [rad]
struct FadedSine {
  double amplitude = 0.0;
  double period_s = 1.0;
  double phase = 0.0;   ///< φ [rad]
  double ramp_s = 0.0;  ///< fade-in time; 0: none
  double offset = 0.0;

  AxisMotion at(double time_s) const;
};

}  // namespace aplomb
