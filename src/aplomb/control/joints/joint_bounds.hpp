#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Velocity bounds that keep every joint within its limits of angle, speed and acceleration at all later ticks: no
/// joint becomes so fast that it could not stop before its angle limit,
///   |q̇ − q̇_last| ≤ a dt,   |q̇| ≤ v,   q̇ ≤ √(2 a/4 (upper − q)),   and likewise below.
/// It brakes with a quarter of its acceleration limit: the joints that hold feet and CoM meanwhile need the rest.
/// Zero velocity always satisfies the limits of angle and speed.
class JointBounds {
 public:
  /// Keeps `margin` [rad] from the angle limits; a joint that starts nearer may stay there. `acceleration` [rad/s²]; 0:
  /// by rule, from the joint's speed limit. Throws InvalidValue with the joint's name when `start` is outside of a
  /// limit.
  JointBounds(const RobotModel& model, const Eigen::VectorXd& start, double margin, double acceleration);

  /// Keeps a joint that starts at `start` on its side of `angle`, at which its leg is straight, with the margin: on the
  /// other side the knee bends the wrong way, and a straight leg is singular.
  void keep_bent(int joint, double angle, double start);

  /// Bounds for joints at `angles` [rad] that move at `rates` [rad/s]. Never allocates.
  void update(const Eigen::Ref<const Eigen::VectorXd>& angles, const Eigen::Ref<const Eigen::VectorXd>& rates);
  /// Narrows the last bounds so that angles + q̇ dt stays within `distance` of `measured`, or does not depart further.
  void keep_near(const Eigen::Ref<const Eigen::VectorXd>& angles, const Eigen::Ref<const Eigen::VectorXd>& measured,
                 const Eigen::VectorXd& distance);

  /// Replaces the last bounds by none.
  void remove();

  const Eigen::VectorXd& lower() const { return lower_; }  ///< bounds of q̇ [rad/s]
  const Eigen::VectorXd& upper() const { return upper_; }
  const Eigen::VectorXd& speed() const { return speed_; }  ///< v [rad/s]
  const Eigen::VectorXd& lowest_angle() const { return angle_lower_; }
  const Eigen::VectorXd& highest_angle() const { return angle_upper_; }

 private:
  double margin_;                              ///< [rad]
  Eigen::VectorXd angle_lower_, angle_upper_;  ///< limits less the margin [rad]
  Eigen::VectorXd speed_, acceleration_;       ///< [rad/s], [rad/s²]
  Eigen::VectorXd lower_, upper_;
};

}  // namespace aplomb
