#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Where the feet that stand are, and how they move; what a CoM reference may follow.
struct StandingFeet {
  Eigen::Vector3d midpoint = Eigen::Vector3d::Zero();  ///< of the sole centres [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< mean of theirs [m/s]
};

struct ComTarget {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< c* [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< [m/s]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
};

/// Where the CoM shall be, over time. Controllers follow it as far as their sensors tell where the feet are; metrics
/// measure against it with the feet where they truly are.
class ComReference {
 public:
  /// A point of a path: `offset` from the start at `time_s`.
  struct Point {
    double time_s = 0.0;
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< [m]
  };

  /// Stays at `start`.
  static ComReference hold(const Eigen::Vector3d& start);
  /// `start` plus a sinusoid along a world axis (0: x, 1: y, 2: z) from `begin_s` on.
  static ComReference sine(const Eigen::Vector3d& start, int axis, const FadedSine& sine, double begin_s);
  /// From point to point with the least jerk, at rest in each; `start` before the first. Times must rise.
  static ComReference path(const Eigen::Vector3d& start, std::vector<Point> points);
  /// After points that jump, through the filter of reference_filter.hpp with its trajectory time. Times must rise.
  static ComReference filtered(const Eigen::Vector3d& start, std::vector<Point> points, double trajectory_time_s);
  /// Above the mid-point of the standing feet, as high above it as at the start, and as fast as the feet are.
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
