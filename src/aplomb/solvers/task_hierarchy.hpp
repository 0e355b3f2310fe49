#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "aplomb/solvers/bounded_least_squares.hpp"
#include "aplomb/solvers/solve_status.hpp"

namespace aplomb {

struct HierarchyLevelSize {
  int equality_rows = 0;
  int bounded_rows = 0;
};

/// One level of a hierarchy: A x = b and lower ≤ C x ≤ upper, met in the least-squares sense where they cannot all be.
/// A bound on a variable is a row of C with a single 1. Rows of zeros are legal and have no effect.
struct HierarchyLevel {
  /// All entries zero, all bounds infinite.
  HierarchyLevel(const HierarchyLevelSize& size, int columns);

  Eigen::MatrixXd A;      ///< equality_rows × columns
  Eigen::VectorXd b;      ///< equality_rows
  Eigen::MatrixXd C;      ///< bounded_rows × columns
  Eigen::VectorXd lower;  ///< bounded_rows; −infinity for none
  Eigen::VectorXd upper;  ///< bounded_rows; +infinity for none
};

/// Levels in strict order: each is met as well as it can be without the least change to those before it,
///   x ∈ argmin |A_k x − b_k|² + |distance of C_k x to [lower_k, upper_k]|²   over the argmin of levels 1 … k−1.
/// Of all such x the one of least norm.
struct HierarchyProblem {
  HierarchyProblem(int columns, const std::vector<HierarchyLevelSize>& sizes);

  std::vector<HierarchyLevel> levels;
};

struct HierarchyLevelReport {
  Eigen::VectorXd residual;       ///< A x − b
  Eigen::VectorXd violation;      ///< C x − upper where above, C x − lower where below, else 0
  std::vector<BoundState> state;  ///< the active set, by bounded row: `free` is inactive
  int rank = 0;                   ///< dimensions that this level determines, including damped ones
  double damping = 0.0;           ///< λ of min |A x − b|² + λ² |step|²; 0: exact
};

struct HierarchySolution {
  Eigen::VectorXd x;
  std::vector<HierarchyLevelReport> levels;
  int iterations = 0;  ///< factorisations
};

/// Solves hierarchies of one shape without allocating, warm-started from the last active set.
///
/// Near rank loss. Let σ be the smallest singular value of a level within the null space of those above, relative to
/// its longest row, and τ the rank tolerance. σ ≥ 10 τ: exact. Below: damped, so that the level's solution tends to
/// zero with σ instead of to infinity, and the direction is not released to lower levels. Rows that depend on others to
/// rounding (1e-12) determine no direction. A direction that was damped and then vanishes stays held until the level's
/// rows have moved by more than 10 τ: so the solution has no jump even when a sweep hits the singularity exactly.
class TaskHierarchy {
 public:
  struct Settings {
    double rank_tolerance = 1e-6;  ///< τ
    /// Budget of a solve in operations, counted as rows × columns² for each factorisation, so that it is the same on
    /// any machine. A solve that has used it up ends with `budget_spent`; it exceeds it by one factorisation at most,
    /// and the next solve goes on from the active set that it reached.
    double max_operations = std::numeric_limits<double>::infinity();
  };

  /// Throws InvalidValue on a negative size or a rank tolerance outside [1e-10, 0.1).
  TaskHierarchy(int columns, const std::vector<HierarchyLevelSize>& sizes, const Settings& settings);
  TaskHierarchy(int columns, const std::vector<HierarchyLevelSize>& sizes) : TaskHierarchy(columns, sizes, {}) {}
  ~TaskHierarchy();
  TaskHierarchy(TaskHierarchy&&) noexcept;
  TaskHierarchy& operator=(TaskHierarchy&&) noexcept;

  /// Never allocates, never throws; `solution()` is finite afterwards, for any input.
  SolveStatus solve(const HierarchyProblem& problem) noexcept;

  const HierarchySolution& solution() const noexcept;

  /// Makes the next solve a cold start, without remembered directions.
  void forget() noexcept;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace aplomb
