#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Speeds that keep every joint inside its limits of position, speed and acceleration for ever: a joint never gets so
/// fast that it could not stop before its limit,
///   |q̇ − q̇_last| ≤ a dt,   |q̇| ≤ v,   q̇ ≤ √(2 a/4 (upper − q)),   and likewise below.
/// It brakes with a quarter of what it could: the joints that keep feet and CoM meanwhile need the rest.
/// Zero speed is always among what position and speed allow.
class JointBounds {
 public:
  /// From the robot's limits. A joint that starts within `margin` of its limit may stay there. Throws InvalidValue
  /// with the joint's name when `start` is outside of a limit.
  JointBounds(const RobotModel& model, const Eigen::VectorXd& start, double margin, double acceleration);

  /// Keeps a joint that starts at `start` on its side of `angle`, where its leg would be straight, with the margin: on
  /// the other side the knee bends the wrong way, and straight it moves nothing.
  void keep_bent(int joint, double angle, double start);

  /// For joints at `angles` that move at `rates`. Never allocates.
  void update(const Eigen::Ref<const Eigen::VectorXd>& angles, const Eigen::Ref<const Eigen::VectorXd>& rates);
  /// Narrows the last bounds so that angles + q̇ dt stays within `distance` of `measured`, or gets no further away.
  void keep_near(const Eigen::Ref<const Eigen::VectorXd>& angles, const Eigen::Ref<const Eigen::VectorXd>& measured,
                 const Eigen::VectorXd& distance);

  const Eigen::VectorXd& lower() const { return lower_; }  ///< [rad/s]
  const Eigen::VectorXd& upper() const { return upper_; }
  const Eigen::VectorXd& speed() const { return speed_; }  ///< v [rad/s]
  const Eigen::VectorXd& lowest_angle() const { return angle_lower_; }
  const Eigen::VectorXd& highest_angle() const { return angle_upper_; }

 private:
  double margin_;                              ///< [rad]
  Eigen::VectorXd angle_lower_, angle_upper_;  ///< with the margin [rad]
  Eigen::VectorXd speed_, acceleration_;       ///< [rad/s], [rad/s²]
  Eigen::VectorXd lower_, upper_;
};

}  // namespace aplomb
