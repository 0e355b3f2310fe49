#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/solvers/hierarchy/hierarchy_damping.hpp"
#include "aplomb/solvers/hierarchy/hierarchy_factor.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// Active set of a hierarchy: which bounded rows are equalities at one of their bounds, and which are inactive.
/// 0. The equalities alone: they decide what is damped, and if their optimum violates no bound it is the solution.
///
/// The levels' costs in strict order are a convex, piecewise quadratic function of x. Its minimum is found by solving
/// for the active rows as equalities and correcting the active set (Escande, Mansard, Wieber 2014):
/// 1. Prediction: all violated rows are activated, then all unnecessary ones dropped, a few times.
/// 2. Where that does not end: descent. A step stops at the first inactive row that it would violate, and activates it;
///    at the end of a step the row with the most wrong multiplier is dropped. Multipliers count in the order of levels:
///    the sign of the first that is not zero decides. After the last level comes x = 0: the shortest x.
/// Anti-cycling: every step of 2 that moves x lowers the costs; while none does, rows are exchanged by Bland's rule.
class HierarchyActiveSet {
 public:
  HierarchyActiveSet(int columns, const std::vector<HierarchyLevelSize>& sizes, double rank_tolerance,
                     double max_operations);

  SolveStatus solve(const HierarchyProblem& problem, HierarchySolution& solution);
  void forget();

 private:
  struct BoundedRow {
    int level = 0;
    Eigen::Index row = 0;
  };
  enum class Verdict : unsigned char { undecided, keep, drop };

  void measure(const HierarchyProblem& problem);
  void solve_equalities();
  bool has_violated_row() const;
  void factor_rows(bool has_bounds);
  void compute_target();
  bool predict();
  int exchange();
  SolveStatus descend();
  int step_to_target();
  int drop_wrong_multiplier(bool has_moved);
  int find_wrong_multipliers(double negligible);
  double multiplier_unit(int level) const;
  void evaluate_rows();
  void report(HierarchySolution& solution) const;
  void count_factorisation();
  bool is_spent() const { return operations_ >= max_operations_; }
  int num_levels() const { return static_cast<int>(level_scale_.size()); }
  int num_bounded() const { return static_cast<int>(rows_.size()); }
  double lower(int id) const { return problem_->levels[rows_[id].level].lower[rows_[id].row]; }
  double upper(int id) const { return problem_->levels[rows_[id].level].upper[rows_[id].row]; }
  double active_bound(int id) const { return state_[id] == BoundState::at_upper ? upper(id) : lower(id); }
  bool is_fixed(int id) const { return lower(id) == upper(id); }
  /// Signed distance of the row beyond its active bound; negative: inside, the bound is not needed.
  double excess(int id) const;
  /// Rounding error of the value of a row near `bound`.
  double tolerance(int id, double bound) const;

  const HierarchyProblem* problem_ = nullptr;
  int max_iterations_;
  int iterations_ = 0;
  double max_operations_, operations_ = 0.0;  ///< rows × columns² of the factorisations
  std::vector<BoundedRow> rows_;
  std::vector<BoundState> state_;
  std::vector<Verdict> verdict_;
  std::vector<char> is_barred_;  ///< row was dropped, and violated again before x moved
  Eigen::VectorXd badness_;      ///< magnitude of a multiplier with the wrong sign
  Eigen::VectorXd values_;       ///< C x of the bounded rows
  Eigen::VectorXd steps_;        ///< C step of the bounded rows
  Eigen::VectorXd lengths_;      ///< norms of the bounded rows
  Eigen::VectorXd level_scale_;  ///< longest row of each level
  Eigen::VectorXd x_;
  Eigen::VectorXd before_;  ///< x before a step
  Eigen::VectorXd target_;
  double x_size_ = 0.0;  ///< magnitude of x and of the terms that cancel in it
  HierarchyFactor factor_;
  HierarchyDamping damping_;
};

}  // namespace aplomb
