#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// The joint torques that hold a robot still while each foot carries its share of the weight:
///   τ = g − Σ J_iᵀ w_i   on the joints' rows,
/// w_i a vertical force share_i m g at the sole's centre plus share_i of the moment that puts the resultant under the
/// CoM; the six base rows of g − Σ J_iᵀ w_i are then zero. A foot without a sole must have no share.
/// What the feet do not carry, a seat under the base does: it pushes up with s m g, s = 1 − Σ share_i, and takes the
/// moment as far as that force reaches, at most kSeatLever times the CoM's height away from it.
class StaticTorque {
 public:
  explicit StaticTorque(const RobotModel& model);  ///< allocates; `model` must outlive this object

  /// `terms` must hold the feet's frames. The shares are of the left and right foot and add up to one without a seat.
  const Eigen::VectorXd& compute(const RobotTerms& terms, const std::array<double, 2>& shares);
  /// What is left on the base rows [N, N m]: zero up to rounding when the feet carry the robot, else the seat's part.
  const Vector6d& base_residual() const { return base_residual_; }

  static constexpr double kSeatLever = 0.3;

 private:
  const RobotModel* model_;
  std::array<std::optional<FrameId>, 2> feet_;
  Eigen::VectorXd rest_;    ///< g − Σ Jᵀw, all rows
  Eigen::VectorXd torque_;  ///< its joint rows
  Vector6d base_residual_ = Vector6d::Zero();
};

/// What the ground does to both feet together, world axes about the world's origin. `foot_wrench` is of each foot, in
/// its frame about its origin, as sensors tell it; `terms` must hold the feet's frames. On level ground at height z,
/// centre_of_pressure(wrench_on_feet(...), z) is the CoP of the whole robot.
Wrench wrench_on_feet(const RobotModel& model, const RobotTerms& terms, const std::array<Wrench, 2>& foot_wrench);

/// The frames of the feet that have a sole: what StaticTorque and every balance controller ask RobotTerms for.
std::vector<FrameId> sole_frames(const RobotModel& model);

}  // namespace aplomb
