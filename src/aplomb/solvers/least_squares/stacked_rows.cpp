#include "aplomb/solvers/least_squares/stacked_rows.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/solvers/hierarchy/householder.hpp"

namespace aplomb {
namespace {

/// A power of two (scaling by it is exact) that brings `largest` to about 1.
double exact_scale(double largest) {
  if (largest == 0.0) return 1.0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, -exponent);
}

template <typename Dense>
double largest_entry(const Dense& entries) {
  return entries.size() == 0 ? 0.0 : entries.cwiseAbs().maxCoeff();
}

}  // namespace

StackedRows::StackedRows(int rows, int columns, int equality_rows)
    : C_(equality_rows, columns),
      d_(equality_rows),
      W_(rows + columns, columns),
      c_(rows + columns),
      C_lengths_(columns),
      W_lengths_(columns) {}

void StackedRows::load(const BoundedLeastSquaresProblem& problem) {
  const auto num_given = problem.A.rows();
  C_scale_ = exact_scale(largest_entry(problem.C));
  W_scale_ = exact_scale(std::max(largest_entry(problem.A), largest_entry(problem.D)));
  C_ = C_scale_ * problem.C;
  d_ = C_scale_ * problem.d;
  W_.topRows(num_given) = W_scale_ * problem.A;
  c_.head(num_given) = W_scale_ * problem.b;
  num_rows_ = static_cast<int>(num_given);
  for (int i = 0; i < num_columns(); ++i) {
    if (problem.D[i] == 0.0) continue;
    W_.row(num_rows_).setZero();
    W_(num_rows_, i) = W_scale_ * problem.D[i];
    c_[num_rows_] = W_(num_rows_, i) * problem.x0[i];
    ++num_rows_;
  }
  if (num_rows_ > num_columns() + 1) triangularise();
  for (int i = 0; i < num_columns(); ++i) {
    C_lengths_[i] = C_.col(i).norm();
    W_lengths_[i] = W_.col(i).head(num_rows_).norm();
  }
  longest_C_ = largest_entry(C_lengths_);
  longest_W_ = largest_entry(W_lengths_);
}

/// (W, c) ← Qᵀ (W, c): as many rows as columns, and one more for the norm of the residual that no x can reduce.
void StackedRows::triangularise() {
  const int columns = num_columns();
  for (int i = 0; i < columns; ++i) {
    const int size = num_rows_ - i;
    double* stored = W_.col(i).data() + i;
    const double tau = make_reflector(stored, size);
    for (int col = i + 1; col < columns; ++col) reflect(stored, tau, W_.col(col).data() + i, size);
    reflect(stored, tau, c_.data() + i, size);
    W_.col(i).segment(i + 1, size - 1).setZero();
  }
  c_[columns] = c_.segment(columns, num_rows_ - columns).norm();
  num_rows_ = columns + 1;
}

void StackedRows::residuals(const Eigen::VectorXd& x, Eigen::VectorXd& e, Eigen::VectorXd& r) const {
  e = d_;
  e.noalias() -= C_ * x;
  r.head(num_rows_) = c_.head(num_rows_);
  r.head(num_rows_).noalias() -= objective() * x;
}

double StackedRows::equality_terms(const Eigen::VectorXd& x) const { return d_.norm() + C_lengths_.dot(x.cwiseAbs()); }

double StackedRows::objective_terms(const Eigen::VectorXd& x) const {
  return c_.head(num_rows_).norm() + W_lengths_.dot(x.cwiseAbs());
}

double StackedRows::tied_terms(const Eigen::VectorXd& x) const {
  return longest_C_ > 0.0 ? longest_W_ * x.lpNorm<Eigen::Infinity>() : 0.0;
}

double StackedRows::multiplier_terms(double objective_terms) const {
  return longest_C_ > 0.0 ? longest_W_ * objective_terms / longest_C_ : 0.0;
}

}  // namespace aplomb
