#pragma once

#include <Eigen/Core>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Fast method for wide, regularised problems (all D > 0, no more rows than columns).
///
/// With y the multiplier of the rows, x is a function of y:   x(y) = clamp(x0 + D⁻² (Cᵀ y_C + Aᵀ y_A), lower, upper),
/// and the optimum is the root of   F(y) = (C x − d, A x − b + y_A),
/// the gradient of a convex, piecewise quadratic function of as many variables as there are rows. Newton's method with
/// a line search finds it in a few steps of one small Cholesky factor each (semismooth Newton; Hintermüller, Ito,
/// Kunisch 2003, read in the dual). Bounds and signs of multipliers hold by construction, so |F| is the certificate.
/// Returns false where the squared condition number would cost digits: the exact method then takes over.
class DualNewton {
 public:
  DualNewton(int rows, int columns, int equality_rows);

  bool suits(const BoundedLeastSquaresProblem& problem) const;

  /// Starts from the active set in `solution.state` and overwrites `solution`; false when it did not converge.
  bool solve(const BoundedLeastSquaresProblem& problem, BoundedLeastSquaresSolution& solution);

 private:
  void load(const BoundedLeastSquaresProblem& problem);
  void column_lengths(Eigen::Index first_row, Eigen::Index num_rows, Eigen::VectorXd& lengths) const;
  bool start(const BoundedLeastSquaresProblem& problem, const BoundedLeastSquaresSolution& solution);
  void evaluate(const BoundedLeastSquaresProblem& problem);
  bool is_root() const;
  bool factor();
  void solve_factored(Eigen::VectorXd& rhs) const;
  bool step(const BoundedLeastSquaresProblem& problem);
  void write(const BoundedLeastSquaresProblem& problem, BoundedLeastSquaresSolution& solution) const;

  int equality_rows_;
  Eigen::MatrixXd transposed_;         ///< (C; A)ᵀ, columns × rows
  Eigen::VectorXd rhs_;                ///< (d; b)
  Eigen::VectorXd compliance_;         ///< D⁻², zero where lower = upper
  Eigen::VectorXd equality_lengths_;   ///< norms of the columns of C
  Eigen::VectorXd objective_lengths_;  ///< norms of the columns of A
  double start_terms_ = 0.0;           ///< magnitude of the terms that cancel in F at the start
  Eigen::VectorXd y_, y_before_;       ///< rows
  Eigen::VectorXd direction_;          ///< Newton's step, rows
  Eigen::VectorXd F_;                  ///< rows
  Eigen::VectorXd unclamped_;          ///< x0 + D⁻² (C; A)ᵀ y, columns
  Eigen::VectorXd x_;
  Eigen::VectorXd slopes_;           ///< dx/d(unclamped) D⁻² at y: the compliance of the free variables
  Eigen::VectorXd factored_slopes_;  ///< slopes of the current factor
  Eigen::VectorXd weighted_;         ///< one weighted column, scratch
  Eigen::MatrixXd cholesky_;         ///< lower factor of diag(0, 1) + (C; A) diag(slopes) (C; A)ᵀ; diagonal inverted
};

}  // namespace aplomb
