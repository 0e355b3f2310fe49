#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// The robot's velocity without the fast motion of its contacts on compliant ground:
///   v_c = v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ y,   y: the high-pass of J v.
/// A contact force that differs from the computed one accelerates the robot along M⁻¹ Jᵀ; that part of v is removed.
/// Motion tasks that are damped by v_c thus behave as on rigid ground and do not excite the springs of the ground (as
/// the damping of a task would with a foot that rocks at 15 Hz). The slow part of J v stays: a moving support, a
/// tipping foot.
class ContactConsistentVelocity {
 public:
  ContactConsistentVelocity(const ForceProblem& shape, int nv);  ///< allocates

  /// Call once per tick. A contact that is being loaded or unloaded is weighted by its share. Never allocates.
  const Eigen::VectorXd& update(const RobotTerms& terms, const Eigen::VectorXd& v, const ForceProblem& problem);

 private:
  void follow(const ForceProblem& problem, const Eigen::VectorXd& v);

  bool has_begun_ = false;
  Eigen::VectorXd measured_, quick_;    ///< J v of all contacts, and its high-pass
  Eigen::VectorXd slow_, slower_;       ///< J v after one and after two low-passes
  Eigen::MatrixXd rows_;                ///< L⁻¹ Jᵀ, nv × rows
  Eigen::LLT<Eigen::MatrixXd> mass_;    ///< M = L Lᵀ
  Eigen::MatrixXd mobility_;            ///< J M⁻¹ Jᵀ
  Eigen::LLT<Eigen::MatrixXd> factor_;  ///< factor of mobility_
  Eigen::VectorXd velocity_;
};

}  // namespace aplomb
