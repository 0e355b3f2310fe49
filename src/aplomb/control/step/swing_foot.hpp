#pragma once

#include <Eigen/Geometry>
#include <array>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

/// Path of a swing foot's sole centre to a target that moves until landing: on each axis, in each tick, the polynomial
/// of fifth degree from the present reference to the target, so that position, velocity and acceleration are
/// continuous. Upwards it passes the clearance in the middle of the swing, and lands with a prescribed velocity; later
/// than planned it goes on down at that velocity.
class SwingFoot {
 public:
  struct Settings {
    double clearance = 0.05;      ///< [m]
    double touch_velocity = 0.1;  ///< downwards [m/s]
  };
  explicit SwingFoot(const Settings& settings) : settings_(settings) {}

  void begin(const Eigen::Vector3d& place, const Eigen::Vector3d& velocity);
  /// `target`: on the ground [m]; `left_s`: time until landing. Never allocates.
  void update(const Eigen::Vector3d& target, double left_s, double dt);

  double elapsed_s() const { return elapsed_s_; }
  Eigen::Vector3d position() const { return vector(&AxisMotion::position); }
  Eigen::Vector3d velocity() const { return vector(&AxisMotion::velocity); }
  Eigen::Vector3d acceleration() const { return vector(&AxisMotion::acceleration); }

 private:
  Eigen::Vector3d vector(double AxisMotion::*part) const { return {axes_[0].*part, axes_[1].*part, axes_[2].*part}; }
  Settings settings_;
  std::array<AxisMotion, 3> axes_;
  double elapsed_s_ = 0.0;
};

/// The state after `dt` on the polynomial of fifth degree that leads from `now` to `end` in `duration_s`.
AxisMotion towards(const AxisMotion& now, const AxisMotion& end, double duration_s, double dt);

}  // namespace aplomb
