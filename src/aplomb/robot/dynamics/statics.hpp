#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Static joint torques while each foot carries its fraction of the weight:
///   τ = g − Σ J_iᵀ w_i   (joint rows),
/// where w_i is a vertical force share_i m g at the sole's centre plus share_i of the moment that puts the resultant
/// under the CoM; the six base rows of g − Σ J_iᵀ w_i are then zero. A foot without a sole must have share 0. A seat
/// under the base carries the rest: an upward force s m g, s = 1 − Σ share_i, and a moment limited to that force acting
/// at most kSeatLever times the CoM's height away from the CoM.
class StaticTorque {
 public:
  explicit StaticTorque(const RobotModel& model);  ///< allocates; `model` must outlive this object

  /// `terms` must hold the feet's frames. `shares`: left and right foot; they sum to 1 when there is no seat.
  const Eigen::VectorXd& compute(const RobotTerms& terms, const std::array<double, 2>& shares);
  /// Residual of the base rows [N, N m]: zero up to rounding when the feet carry the robot, else the seat's wrench.
  const Vector6d& base_residual() const { return base_residual_; }

  /// Lever arm over CoM height: a seat 0.4 m deep under a CoM at 0.7 m reaches 0.29 of that height to either side.
  static constexpr double kSeatLever = 0.3;

 private:
  const RobotModel* model_;
  std::array<std::optional<FrameId>, 2> feet_;
  Eigen::VectorXd rest_;    ///< g − Σ Jᵀw, all rows
  Eigen::VectorXd torque_;  ///< joint rows of rest_
  Vector6d base_residual_ = Vector6d::Zero();
};

/// Resultant ground reaction wrench on both feet, world axes about the world's origin, from the measured wrench on each
/// foot (in and about its frame); `terms` must hold the feet's frames. On level ground at height z,
/// centre_of_pressure(wrench_on_feet(...), z) is the CoP of the whole robot.
Wrench wrench_on_feet(const RobotModel& model, const RobotTerms& terms, const std::array<Wrench, 2>& foot_wrench);

/// Frames of the feet that have a sole, as StaticTorque and the balance controllers need them in RobotTerms.
std::vector<FrameId> sole_frames(const RobotModel& model);

}  // namespace aplomb
