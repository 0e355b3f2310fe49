#pragma once

#include <span>
#include <vector>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// The part of the hands' forces that the arms can hold at rest. A force that a joint's torque does not suffice for can
/// be had for a moment, by throwing the arm, and a strict hierarchy with the force above the posture would do just
/// that. The joints that no foot hangs on (arms, waist) carry at rest  τ = g − Σ J_handᵀ f,  whatever the feet do.
class HoldableForce {
 public:
  /// `terms`: at any state, with the frames of all feet. Allocates.
  HoldableForce(const RobotModel& model, const RobotTerms& terms, std::span<const FrameId> feet);

  struct Limit {
    double share = 1.0;  ///< of the forces, that can be held
    int joint = -1;      ///< that holds no more; −1: all is well
  };
  /// Never allocates.
  Limit find(const RobotTerms& terms, std::span<const ForceContact> hands);

 private:
  Eigen::VectorXd limit_;   ///< [N m]; infinite for joints that feet hang on
  Eigen::VectorXd torque_;  ///< Σ J_handᵀ f
};

}  // namespace aplomb
