#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Follows a moving target without ever exceeding a speed and an acceleration. A target that keeps within them is
/// followed as it is; one that jumps is caught up with, and reached without overshoot.
class LimitedMotion {
 public:
  struct Limits {
    double speed = 1.0;         ///< [m/s]
    double acceleration = 1.0;  ///< [m/s²]
  };

  LimitedMotion(const Limits& limits, const Eigen::Vector3d& start) : limits_(limits), position_(start) {}

  /// One tick of `period_s` later, no faster than `ease` (0 … 1) of the speed.
  void follow(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, double period_s, double ease = 1.0);
  /// Puts the position no further than `distance` from `point`, for a follower that cannot come along.
  void keep_near(const Eigen::Vector3d& point, double distance);

  const Eigen::Vector3d& position() const { return position_; }
  const Eigen::Vector3d& velocity() const { return velocity_; }
  /// How far the target was away at the last tick, more than following takes [m].
  double lag() const { return lag_; }

 private:
  Limits limits_;
  Eigen::Vector3d position_;
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();
  double lag_ = 0.0;
};

}  // namespace aplomb
