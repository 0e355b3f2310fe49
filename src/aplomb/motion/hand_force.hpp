#pragma once

#include <array>
#include <optional>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Desired force of a hand on a wall, along the wall's normal; the tangential force shall be zero.
struct HandForce {
  double force = 0.0;        ///< [N]
  double start_s = 0.0;      ///< before, none
  double ramp_s = 0.5;       ///< minimum-jerk rise
  bool has_tangents = true;  ///< the tangential force is controlled too, not only the normal one

  double at(double time_s) const { return force * minimum_jerk(time_s - start_s, ramp_s).position; }
};

using HandForces = std::array<std::optional<HandForce>, 2>;  ///< left, right; absent: that hand is free

}  // namespace aplomb
