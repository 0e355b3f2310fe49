#pragma once

#include <Eigen/Core>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// The rows of a bounded least-squares problem as the exact method uses them: C, and W = (A; D) with right-hand side
/// (b; D x0). Both are scaled by powers of two to entries of about 1, and W is reduced to a triangle when it has more
/// rows than columns. Reports the magnitude of the terms that cancel in a row: the scale of its rounding.
class StackedRows {
 public:
  StackedRows(int rows, int columns, int equality_rows);

  void load(const BoundedLeastSquaresProblem& problem);

  const Eigen::MatrixXd& equalities() const { return C_; }
  auto objective() const { return W_.topRows(num_rows_); }
  int num_rows() const { return num_rows_; }  ///< number of rows of W
  int max_rows() const { return static_cast<int>(W_.rows()); }
  int num_equalities() const { return static_cast<int>(C_.rows()); }
  int num_columns() const { return static_cast<int>(W_.cols()); }
  const Eigen::VectorXd& equality_lengths() const { return C_lengths_; }  ///< norms of the columns of C
  const Eigen::VectorXd& objective_lengths() const { return W_lengths_; }
  double equality_scale() const { return C_scale_; }  ///< equalities() is this times the problem's C
  double objective_scale() const { return W_scale_; }

  /// e = d − C x, and the first num_rows() of r = c − W x
  void residuals(const Eigen::VectorXd& x, Eigen::VectorXd& e, Eigen::VectorXd& r) const;
  double equality_terms(const Eigen::VectorXd& x) const;
  double objective_terms(const Eigen::VectorXd& x) const;
  /// Largest change of the rows that x can cause.
  double reach(const Eigen::VectorXd& x) const { return (C_lengths_ + W_lengths_).dot(x.cwiseAbs()); }
  /// Terms that equalities add: they tie the variables to each other, and so the rounding of the largest to the
  /// smallest.
  double tied_terms(const Eigen::VectorXd& x) const;
  /// Magnitude of the multipliers of C that the objective's terms can cause: the scale of their rounding.
  double multiplier_terms(double objective_terms) const;

 private:
  void triangularise();

  int num_rows_ = 0;
  Eigen::MatrixXd C_;
  Eigen::VectorXd d_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd c_;
  Eigen::VectorXd C_lengths_;
  Eigen::VectorXd W_lengths_;
  double longest_C_ = 0.0;
  double longest_W_ = 0.0;
  double C_scale_ = 1.0;
  double W_scale_ = 1.0;
};

}  // namespace aplomb
