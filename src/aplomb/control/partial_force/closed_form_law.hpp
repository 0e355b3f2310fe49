#pragma once

#include <Eigen/QR>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// The law of the paper   (Del Prete et al. 2014), for a robot that is sufficiently constrained:
///   v̇_i = v̇_{i+1} + (J_i N_p(i))⁺ (ẍ_i* − J̇_i v − J_i v̇_{i+1}),   contacts first                          (5)
///   τ*  = (N_s Sᵀ)⁺ N_s τ_1 with the internal forces of (6),   τ_1 = M v̇_1 + h − J_fᵀ f_f*                 (4), (6)
/// (5) is the strict hierarchy that TaskHierarchy solves. (4) with (6) reduces, with the projectors worked
/// out, to this: among all f_s that do on the base's six rows what τ_1 asks there, J_sbᵀ f_s = τ_1b, the one with the
/// least f_sᵀ Wf⁻¹ f_s, and τ = τ_1j − J_sjᵀ f_s: six equations instead of nv. M is not used.
class ClosedFormLaw {
 public:
  /// Allocates; `model` must outlive this object.
  ClosedFormLaw(const RobotModel& model, const ForceProblem& shape, LevelOrder order);

  /// False when the robot is not sufficiently constrained, rank(J_s Uᵀ) < 6, or the hierarchy has no solution.
  bool solve(const RobotState& state, const ForceProblem& problem, ForceSolution& solution);

  int rank() const { return rank_; }  ///< of J_s Uᵀ at the last solve, U the base's six columns
  const HierarchySolution& motion() const { return hierarchy_.solution(); }  ///< contacts, then the levels

 private:
  bool accelerate(const ForceProblem& problem);
  /// The six base rows of `rest_` onto the supporting contacts, and those with a share if asked for; into `spread_`.
  bool distribute(const ForceProblem& problem, bool with_shared);
  void take_controlled(const ForceProblem& problem, ForceSolution& solution);
  bool take_distributed(const ForceProblem& problem, bool of_shared, ForceSolution& solution);
  void take_off(const ForceContact& contact, const Eigen::VectorXd& force);

  const RobotModel* model_;
  LevelOrder order_;
  InverseDynamics inverse_dynamics_;
  TaskHierarchy hierarchy_;
  HierarchyProblem rows_;
  Eigen::VectorXd rest_;                            ///< τ_1 less the forces that are fixed
  Eigen::VectorXd spread_;                          ///< forces of all contacts, one after the other
  Eigen::MatrixXd base_;                            ///< J_sb: rows of forces × 6
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;  ///< of base_
  int rank_ = 0;
};

}  // namespace aplomb
