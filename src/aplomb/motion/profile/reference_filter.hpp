#pragma once

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Unit step response of a third-order linear filter:
///   x⃛ = 150.77/T³ (1 − x) − 84.98/T² ẋ − 15.97/T ẍ   (Pattacini et al. 2010),
/// close to a minimum-jerk motion of duration T; by superposition smooth for any sequence of steps. Its poles are
/// nearly one triple pole at −5.32/T; it reaches 90 % after T, 99.8 % after 2 T.
AxisMotion filtered_step(double time_s, double trajectory_time_s);

}  // namespace aplomb
