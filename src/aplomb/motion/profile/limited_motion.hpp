#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Follows a moving target under a speed and an acceleration limit. A target within the limits is followed exactly;
/// after a jump it is reached without overshoot.
class LimitedMotion {
 public:
  struct Limits {
    double speed = 1.0;         ///< [m/s]
    double acceleration = 1.0;  ///< [m/s²]
  };

  LimitedMotion(const Limits& limits, const Eigen::Vector3d& start) : limits_(limits), position_(start) {}

  /// Advances by one tick of `period_s`, at most at the fraction `ease` (0 … 1) of the speed limit.
  void follow(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, double period_s, double ease = 1.0);
  /// Clamps the position to at most `distance` from `point`, e.g. the position of a robot that lags behind.
  void keep_near(const Eigen::Vector3d& point, double distance);

  const Eigen::Vector3d& position() const { return position_; }
  const Eigen::Vector3d& velocity() const { return velocity_; }
  /// Distance to the target at the last tick beyond that of steady following [m].
  double lag() const { return lag_; }

 private:
  Limits limits_;
  Eigen::Vector3d position_;
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();
  double lag_ = 0.0;
};

}  // namespace aplomb
