#pragma once

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// The way from 0 to 1 that a third-order linear filter takes after its input has jumped at t = 0:
///   x⃛ = 150.77/T³ (1 − x) − 84.98/T² ẋ − 15.97/T ẍ   (Pattacini et al. 2010),
/// close to the way of least jerk in the time T, and smooth for any input, since later jumps add up. Its poles are
/// nearly one triple pole at −5.32/T; after T it has made 90 % of the way, after 2 T 99.8 %.
AxisMotion filtered_step(double time_s, double trajectory_time_s);

}  // namespace aplomb
