#pragma once

#include <Eigen/Core>
#include <optional>

namespace aplomb {

/// Timing and swing trajectory of one footstep: unloading, swing, touch-down, loading.
struct FootStep {
  int foot = 1;                                    ///< kLeft or kRight
  double unload_s = 0.0;                           ///< unloading begins
  double lift_off_s = 2.0;                         ///< unloading ends; the swing begins
  double touch_down_s = 4.0;                       ///< the swing ends; loading begins
  double carry_s = 6.0;                            ///< loading ends
  Eigen::Vector3d step = Eigen::Vector3d::Zero();  ///< displacement of the foot, in world axes [m]
  double lift = 0.03;                              ///< height of the swing [m]
  /// Wrench profile by hand: the normal force to which the foot is loaded, over the body weight; its other components
  /// are zero. Absent: the share of the wrench that it would have as a rigid contact.
  std::optional<double> load_to_per_weight;

  struct Offset {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< relative to the position before the step [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< [m/s]
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
  };
  /// Minimum-jerk swing to half a millimetre above the ground; then a slow descent (1 mm/s for a swing of 2 s) for a
  /// small impact, continued below the planned ground until contact.
  Offset at(double time_s) const;
  /// Load on the foot as a fraction of its full load: from 1 to 0 until lift-off, from 0 to 1 after touch-down.
  double share(double time_s) const;
  /// Delays lift-off and all later times.
  void delay(double late_s);
  double swing_s() const { return touch_down_s - lift_off_s; }
};

}  // namespace aplomb
