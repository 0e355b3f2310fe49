#pragma once

#include <Eigen/Core>

namespace aplomb {

/// One step of a foot, on a time line: its load goes, it swings, touches down, its load comes back.
struct FootStep {
  int foot = 1;                                    ///< kLeft or kRight
  double unload_s = 0.0;                           ///< from here on its load goes
  double lift_off_s = 2.0;                         ///< it carries nothing, and lifts
  double touch_down_s = 4.0;                       ///< it is on the ground again; from here on its load comes back
  double carry_s = 6.0;                            ///< it carries as before
  Eigen::Vector3d step = Eigen::Vector3d::Zero();  ///< where to, from where it stood, in the world's axes [m]
  double lift = 0.03;                              ///< how high it is lifted [m]

  double swing_s() const { return touch_down_s - lift_off_s; }
};

}  // namespace aplomb
