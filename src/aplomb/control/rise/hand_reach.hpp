#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Lowers a hand onto an arm rest that is not quite where the plan has it: a hand that is to push and does not bear
/// goes down at a low speed, by the joints of its arm alone, until it bears or was lowered as far as is searched. There
/// it stays until the plan wants no load from it any more; then it goes back to the plan.
///   Δθ_arm = J⁺ (0, 0, −v) dt,   J: of the hand by the arm's joints, damped
class HandReach {
 public:
  /// `leg_length`: thigh and shank [m], which scales speed and way. Allocates.
  HandReach(const RobotModel& model, FrameId hand, double leg_length);

  /// `is_wanted`: the plan wants a load from the hand; `bears`: it has one. `terms` must hold the hand's frame. Never
  /// allocates.
  void update(const RobotTerms& terms, bool is_wanted, bool bears);

  /// Adds what the arm's joints are to be beyond the plan.
  void add_to(Eigen::Ref<Eigen::VectorXd> angle, Eigen::Ref<Eigen::VectorXd> rate) const;
  double lowered() const { return lowered_; }  ///< way downwards so far [m]

 private:
  FrameId hand_;
  double speed_, reach_;
  std::vector<int> joints_;  ///< of the arm
  Eigen::Matrix3Xd jacobian_;
  Eigen::VectorXd angle_, rate_;  ///< of the arm's joints [rad], [rad/s]
  double pace_ = 0.0;             ///< part of the speed, eased in and out
  double lowered_ = 0.0;
};

}  // namespace aplomb
