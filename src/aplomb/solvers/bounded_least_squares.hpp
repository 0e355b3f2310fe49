#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "aplomb/solvers/solve_status.hpp"

namespace aplomb {

/// minimise  |A x − b|² + |D (x − x0)|²   subject to  lower ≤ x ≤ upper  and, where they can be met,  C x = d.
/// Equalities that contradict each other or the bounds are met in the least-squares sense, strictly before the
/// objective: first |C x − d|² is made as small as the bounds allow, then the objective among those x.
/// Non-negative least squares is lower = 0. Any rank, zero or repeated columns and lower = upper are legal.
struct BoundedLeastSquaresProblem {
  /// All entries zero, all bounds infinite.
  explicit BoundedLeastSquaresProblem(int rows, int columns, int equality_rows = 0);

  Eigen::MatrixXd A;      ///< rows × columns
  Eigen::VectorXd b;      ///< rows
  Eigen::VectorXd D;      ///< columns: the diagonal of D; zero entries are legal
  Eigen::VectorXd x0;     ///< columns
  Eigen::VectorXd lower;  ///< columns; −infinity for none
  Eigen::VectorXd upper;  ///< columns; +infinity for none
  Eigen::MatrixXd C;      ///< equality_rows × columns
  Eigen::VectorXd d;      ///< equality_rows
};

enum class BoundState : unsigned char { free, at_lower, at_upper };

/// The solution with its certificate. At the optimum, with gradient = Aᵀ(A x − b) + D²(x − x0) + Cᵀ
/// equality_multipliers, bound_multipliers = gradient: zero where x is free, ≥ 0 at a lower and ≤ 0 at an upper bound;
/// and the same for Cᵀ equality_residual = equality_bound_multipliers, which comes first: a variable that it holds at
/// its bound is held whatever the sign of its bound_multiplier.
struct BoundedLeastSquaresSolution {
  Eigen::VectorXd x;
  std::vector<BoundState> state;               ///< the active set, by variable
  Eigen::VectorXd bound_multipliers;           ///< by variable
  Eigen::VectorXd equality_multipliers;        ///< by equality row
  Eigen::VectorXd equality_residual;           ///< C x − d: which equality is violated, and by how much
  Eigen::VectorXd equality_bound_multipliers;  ///< by variable; zero (to rounding) when every equality is met
  int iterations = 0;                          ///< changes of the active set, at least 1
};

/// Solves problems of one size without allocating, warm-started from the last active set.
class BoundedLeastSquares {
 public:
  BoundedLeastSquares(int rows, int columns, int equality_rows = 0);  ///< throws InvalidValue on a negative size
  ~BoundedLeastSquares();
  BoundedLeastSquares(BoundedLeastSquares&&) noexcept;
  BoundedLeastSquares& operator=(BoundedLeastSquares&&) noexcept;

  /// Never allocates, never throws; `solution()` is finite afterwards, for any input.
  SolveStatus solve(const BoundedLeastSquaresProblem& problem) noexcept;

  const BoundedLeastSquaresSolution& solution() const noexcept;

  /// Makes the next solve a cold start.
  void forget_active_set() noexcept;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace aplomb
