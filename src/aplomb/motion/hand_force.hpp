#pragma once

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// With which force a hand shall press against a wall, along the wall's normal; along the wall none.
struct HandForce {
  double force = 0.0;        ///< [N]
  double start_s = 0.0;      ///< before, none
  double ramp_s = 1.0;       ///< over which it rises with the least jerk
  bool has_tangents = true;  ///< the force along the wall is controlled too (to zero), not only its normal part

  double at(double time_s) const { return force * minimum_jerk(time_s - start_s, ramp_s).position; }
};

}  // namespace aplomb
