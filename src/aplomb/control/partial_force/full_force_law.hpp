#pragma once

#include <string>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// Problem (2) of the paper in full   (Del Prete et al. 2014), with its tasks and with limits, for x = (v̇, f):
///   1. M_b v̇ + h_b = Σ J_bᵀ f   and   J v̇ = −J̇ v of all contacts
///   2. friction, unilateral and CoP limits of the contacts, |τ| ≤ its limit   (with `has_limits`)
///   3. joints decelerate before their stops   (with `has_limits`)
///   4. f = f* of the controlled contacts
///   5. … the motion, level by level
///   last: Wf^(−1/2) f_s = 0, the internal forces of (6)
/// in strict order. The last level of motion also draws f_s to that of the closed form, where there is one: otherwise
/// it would reduce the residual of a posture at a limit by large internal forces between the feet.
/// It works with any rank of J_s Uᵀ; where that is six and no limit is active, its solution equals that of
/// ClosedFormLaw. But it needs M, and its variables are v̇ and all forces.
class FullForceLaw {
 public:
  /// Allocates; `model` must outlive this object.
  FullForceLaw(const RobotModel& model, const ForceProblem& shape, LevelOrder order, bool has_limits,
               double budget = 0.0);

  /// A violated limit and its excess, in its own unit; `row` is the number of the limit, as in `name`.
  struct Excess {
    int row = -1;  ///< −1: none
    double amount = 0.0;
  };
  /// The most violated limit of a solution: [N], [N m].
  Excess worst_excess(const ForceProblem& problem, const ForceSolution& solution) const;
  int torque_row(const ForceProblem& problem, int joint) const;  ///< the row of a joint's torque
  int num_rows(const ForceProblem& problem) const { return torque_row(problem, 2 * model_->num_joints()); }
  std::string name(const ForceProblem& problem, int row) const;  ///< "left_foot: CoP at the front edge"; allocates

  /// Writes `solution`. A controlled contact with a share keeps its force in it. `has_closed_form`: it holds the
  /// solution of ClosedFormLaw, which violates a limit. `budget_spent`: the point that was reached within the budget of
  /// operations, with its torques clamped to their limits. Never allocates.
  SolveStatus solve(const RobotTerms& terms, const ForceProblem& problem, bool has_closed_form,
                    ForceSolution& solution);
  void clamp_torques(ForceSolution& solution) const;  ///< to the limits of the drives

  /// Residual of the controlled forces [N, N m], and of the motion level with this index in the problem [m/s², rad/s²].
  double force_residual() const { return hierarchy_.solution().levels[3].residual.norm(); }
  double motion_residual(std::size_t level) const;
  int active_limit() const;  ///< row of the first active limit; −1: none

 private:
  void write_physics(const RobotTerms& terms, const ForceProblem& problem);
  void write_limits(const RobotTerms& terms, const ForceProblem& problem);
  void write_stops(const ForceProblem& problem);
  void write_tasks(const ForceProblem& problem, bool has_closed_form, const ForceSolution& solution);
  void read(const RobotTerms& terms, const ForceProblem& problem, ForceSolution& solution) const;

  const RobotModel* model_;
  LevelOrder order_;
  bool has_limits_;
  Eigen::VectorXd torque_limit_;
  TaskHierarchy hierarchy_;
  HierarchyProblem rows_;
};

}  // namespace aplomb
