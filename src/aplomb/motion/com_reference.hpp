#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Position and velocity of the supporting feet, which a CoM reference may follow.
struct StandingFeet {
  Eigen::Vector3d midpoint = Eigen::Vector3d::Zero();  ///< mid-point of the sole centres [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< mean velocity of the sole centres [m/s]
};

struct ComTarget {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< c* [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< [m/s]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
};

/// CoM reference over time. Controllers evaluate it with the measured position of the feet, metrics with the true one.
class ComReference {
 public:
  /// A point of a path: `offset` from the start at `time_s`.
  struct Point {
    double time_s = 0.0;
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< [m]
  };

  /// A reference that stays at `start`.
  static ComReference hold(const Eigen::Vector3d& start);
  /// A reference at `start` plus a sinusoid along a world axis (0: x, 1: y, 2: z) from `begin_s` on.
  static ComReference sine(const Eigen::Vector3d& start, int axis, const FadedSine& sine, double begin_s);
  /// Minimum-jerk motion from point to point, at rest in each; `start` before the first. Times must increase.
  static ComReference path(const Eigen::Vector3d& start, std::vector<Point> points);
  /// Step targets passed through the filter of reference_filter.hpp with its trajectory time. Times must increase.
  static ComReference filtered(const Eigen::Vector3d& start, std::vector<Point> points, double trajectory_time_s);
  /// A reference above the mid-point of the supporting feet at the initial height; it moves with the feet.
  static ComReference feet_midpoint(const Eigen::Vector3d& start, const StandingFeet& feet);

  ComReference() = default;  ///< holds the origin

  ComTarget at(double time_s, const StandingFeet& feet) const;
  bool follows_feet() const { return kind_ == Kind::feet_midpoint; }
  /// Whether the height is prescribed too; `feet_midpoint` leaves it to the controller.
  bool prescribes_height() const { return has_height_ && kind_ != Kind::feet_midpoint; }
  void leave_height_free() { has_height_ = false; }

 private:
  enum class Kind { hold, sine, path, filtered, feet_midpoint };
  Kind kind_ = Kind::hold;
  Eigen::Vector3d start_ = Eigen::Vector3d::Zero();
  int axis_ = 0;
  FadedSine sine_;
  double begin_s_ = 0.0;
  std::vector<Point> points_;
  double height_ = 0.0;  ///< above the feet [m]
  double trajectory_time_s_ = 1.0;
  bool has_height_ = true;
};

}  // namespace aplomb
