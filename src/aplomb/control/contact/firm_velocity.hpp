#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// The robot's velocity without the quick motion of its contacts, which ground that gives way makes:
///   v_firm = v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ y,   y: the quick part of J v.
/// A contact force that differs from the one that was reckoned with accelerates the robot along M⁻¹ Jᵀ, and that part
/// of v is what is taken away: so motion tasks that are damped by v_firm go on as on rigid ground, and are blind to the
/// springs of the ground, which they would otherwise excite (a task's damping against a foot that rocks at 15 Hz). The
/// slow part of J v stays: a support that moves, a foot that tips.
class FirmVelocity {
 public:
  FirmVelocity(const ForceProblem& shape, int nv);  ///< allocates

  /// Once a tick. Contacts that come or go count by their share. Never allocates.
  const Eigen::VectorXd& update(const RobotTerms& terms, const Eigen::VectorXd& v, const ForceProblem& problem);

 private:
  void follow(const ForceProblem& problem, const Eigen::VectorXd& v);

  bool has_begun_ = false;
  Eigen::VectorXd measured_, quick_;    ///< J v of all contacts, and its quick part
  Eigen::VectorXd slow_, slower_;       ///< two filters in a row
  Eigen::MatrixXd rows_;                ///< L⁻¹ Jᵀ, nv × rows
  Eigen::LLT<Eigen::MatrixXd> mass_;    ///< M = L Lᵀ
  Eigen::MatrixXd mobility_;            ///< J M⁻¹ Jᵀ
  Eigen::LLT<Eigen::MatrixXd> factor_;  ///< of it
  Eigen::VectorXd firm_;
};

}  // namespace aplomb
