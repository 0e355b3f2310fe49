#pragma once

#include <span>
#include <vector>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Finds the fraction of the hands' forces that the arms can hold statically. A strict hierarchy with the force above
/// the posture would produce a larger force only briefly, by accelerating the arm. At rest, the torques of the joints
/// that carry no foot (arms, waist) are τ = g − Σ J_handᵀ f, whatever the feet do.
class HoldableForce {
 public:
  /// `terms` must contain the frames of all feet, in any state. Allocates.
  HoldableForce(const RobotModel& model, const RobotTerms& terms, std::span<const FrameId> feet);

  struct Limit {
    double share = 1.0;  ///< fraction of the forces that can be held
    int joint = -1;      ///< joint whose torque limits it; −1: none
  };
  /// Never allocates.
  Limit find(const RobotTerms& terms, std::span<const ForceContact> hands);

 private:
  Eigen::VectorXd limit_;   ///< [N m]; infinite for joints between base and feet
  Eigen::VectorXd torque_;  ///< Σ J_handᵀ f
};

}  // namespace aplomb
