#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Adapts a plan to a chair whose height differs from the planned one. The height d of the seat above the planned one
/// is estimated while the robot sits, from the pose of its base. The legs absorb d with the feet fixed and the hips on
/// a vertical line, and the CoM moves with them:
///   J_feet (ṗ_base, θ̇_legs) = 0 for ṗ_base = e_z,   Δθ = d f(t) θ̇_legs,   Δc = d f(t) J_com (ṗ_base, θ̇_legs)
/// f is one while the seat is in contact and fades to zero on the way to standing; before the seat is taken again it
/// fades back. Plans that begin off the seat know d only when they have touched it: until then `shift` moves the hips
/// on top of this, and what it has moved becomes part of d where f is one.
class ChairShift {
 public:
  /// Allocates. `start_s`: time in the run at which the plan begins [s]. `model`: the controller's model of the robot.
  ChairShift(const RobotModel& model, const MotionPlan& plan, double start_s);

  /// Estimates d until the plan begins, and computes Δθ and Δc at the plan time `plan_s` [s]. Never allocates.
  void update(const SensorReadings& readings, double plan_s);

  /// Moves the hips up by `by` [m] from the next update on.
  void shift(double by);

  double height() const { return height_; }                          ///< part of d that the legs have absorbed [m]
  const Eigen::Vector2d& seat_place() const { return seat_place_; }  ///< under the hips that sit, planned [m]
  double shifted() const { return shifted_; }              ///< height of the hips above the planned one now [m]
  double planned_hip_height() const { return hip_now_; }   ///< of the lowest points at the hips, as planned now [m]
  const Eigen::VectorXd& angle() const { return angle_; }  ///< Δθ [rad]
  const Eigen::Vector3d& com() const { return com_; }      ///< Δc [m]
  const Eigen::VectorXd& rate() const { return rate_; }    ///< of Δθ due to `shift` [rad/s]
  const Eigen::Vector3d& com_rate() const { return com_rate_; }  ///< of Δc due to `shift` [m/s]

 private:
  void find(const SensorReadings& readings);
  double fade(double plan_s) const;  ///< f

  struct Interval {
    double start_s = 0.0, end_s = 0.0;
  };
  double rate_hz_, start_s_, most_, duration_s_;
  std::vector<Interval> seated_;  ///< seat contacts, in the plan's time
  bool begins_seated_ = false;
  Eigen::VectorXd first_q_;
  Eigen::Vector3d seat_in_base_ = Eigen::Vector3d::Zero();
  Eigen::MatrixXd angle_table_;  ///< θ̇_legs, one column per sample [rad/m]
  Eigen::Matrix3Xd com_table_;
  Eigen::Vector2d seat_place_ = Eigen::Vector2d::Zero();
  Eigen::VectorXd hip_table_;  ///< planned heights of the lowest points at the hips [m]
  double found_ = 0.0, height_ = 0.0;
  double extra_ = 0.0, pending_ = 0.0;  ///< moved by `shift`: in all, and since the last update [m]
  double shifted_ = 0.0, hip_now_ = 0.0;
  Eigen::VectorXd angle_, rate_;
  Eigen::Vector3d com_ = Eigen::Vector3d::Zero(), com_rate_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb
