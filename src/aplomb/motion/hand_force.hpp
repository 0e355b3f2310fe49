#pragma once

#include <array>
#include <optional>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Desired force of a hand on a wall, along the wall's normal; the desired tangential force is zero.
struct HandForce {
  double force = 0.0;        ///< [N]
  double start_s = 0.0;      ///< no force before this time
  double ramp_s = 0.5;       ///< duration of the minimum-jerk rise from zero
  bool has_tangents = true;  ///< the tangential force is controlled too, not only the normal one

  double at(double time_s) const { return force * minimum_jerk(time_s - start_s, ramp_s).position; }
};

using HandForces = std::array<std::optional<HandForce>, 2>;  ///< left, right; absent: that hand is free

}  // namespace aplomb
