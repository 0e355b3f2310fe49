#pragma once

#include <Eigen/Core>

namespace aplomb {

/// One step of a foot, on a time line: its load goes, it swings, touches down, its load comes back.
struct FootStep {
  int foot = 1;                                    ///< kLeft or kRight
  double unload_s = 0.0;                           ///< from here on its load goes
  double lift_off_s = 2.0;                         ///< it carries nothing, and lifts
  double touch_down_s = 4.0;                       ///< it is on the ground again; from here on its load comes back
  double carry_s = 6.0;                            ///< it carries as any other foot
  Eigen::Vector3d step = Eigen::Vector3d::Zero();  ///< where to, from where it stood, in the world's axes [m]
  double lift = 0.03;                              ///< how high it is lifted [m]

  struct Offset {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< from where it stood [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< [m/s]
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
  };
  /// Up, over and down with the least jerk, to half a millimetre above the ground; the rest at a speed (1 mm/s for a
  /// swing of 2 s) at which the impact is small, and on below the ground until it is met.
  Offset at(double time_s) const;
  /// Of the load that it would carry as any other foot: from 1 to 0 until the lift-off, from 0 to 1 after touch-down.
  double share(double time_s) const;
  /// All that is still to come, from the lift-off on, that much later.
  void delay(double late_s);
  double swing_s() const { return touch_down_s - lift_off_s; }
};

}  // namespace aplomb
