#include "aplomb/solvers/least_squares/dual_newton.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr int kMaxSteps = 40;
constexpr int kMaxBacktracks = 20;
/// |F| relative to the terms that cancel in it; rounding leaves about 1e-15.
constexpr double kRootTolerance = 1e-13;
/// A pivot that cancels below this fraction of its diagonal has lost too many digits.
constexpr double kPivotTolerance = 1e-11;
/// Iteration stops when |F| is below this fraction of its initial terms without being a root.
constexpr double kLost = 1e-20;
/// Largest slope of opposite sign beyond the minimum along a step, relative to the initial slope (line search).
constexpr double kOvershoot = 0.25;

}  // namespace

DualNewton::DualNewton(int rows, int columns, int equality_rows)
    : equality_rows_(equality_rows),
      transposed_(columns, rows + equality_rows),
      rhs_(rows + equality_rows),
      compliance_(columns),
      equality_lengths_(columns),
      objective_lengths_(columns),
      y_(rows + equality_rows),
      y_before_(rows + equality_rows),
      direction_(rows + equality_rows),
      F_(rows + equality_rows),
      unclamped_(columns),
      x_(columns),
      slopes_(columns),
      factored_slopes_(columns),
      weighted_(columns),
      cholesky_(rows + equality_rows, rows + equality_rows) {}

bool DualNewton::suits(const BoundedLeastSquaresProblem& problem) const {
  if (transposed_.cols() > transposed_.rows()) return false;
  for (Eigen::Index i = 0; i < problem.D.size(); ++i) {
    if (problem.D[i] == 0.0 && problem.lower[i] < problem.upper[i]) return false;
  }
  return true;
}

bool DualNewton::solve(const BoundedLeastSquaresProblem& problem, BoundedLeastSquaresSolution& solution) {
  load(problem);
  if (!start(problem, solution)) return false;
  for (int steps = 1; steps <= kMaxSteps; ++steps) {
    if (is_root()) {
      write(problem, solution);
      solution.iterations = steps;
      return true;
    }
    // As x tends to zero relative tolerances lose their meaning: the exact method finishes such problems.
    if (F_.norm() <= kLost * start_terms_ || !step(problem)) return false;
  }
  return false;
}

void DualNewton::load(const BoundedLeastSquaresProblem& problem) {
  transposed_.leftCols(equality_rows_) = problem.C.transpose();
  transposed_.rightCols(problem.A.rows()) = problem.A.transpose();
  rhs_.head(equality_rows_) = problem.d;
  rhs_.tail(problem.b.size()) = problem.b;
  compliance_ = problem.D.cwiseAbs2().cwiseInverse();
  for (Eigen::Index i = 0; i < compliance_.size(); ++i) {
    compliance_[i] = problem.lower[i] < problem.upper[i] ? compliance_[i] : 0.0;
  }
  column_lengths(0, equality_rows_, equality_lengths_);
  column_lengths(equality_rows_, problem.A.rows(), objective_lengths_);
}

void DualNewton::column_lengths(Eigen::Index first_row, Eigen::Index num_rows, Eigen::VectorXd& lengths) const {
  lengths.setZero();
  if (num_rows == 0) return;
  for (Eigen::Index row = first_row; row < first_row + num_rows; ++row) lengths += transposed_.col(row).cwiseAbs2();
  lengths = lengths.cwiseSqrt();
}

/// Starts from the root y of F for the given active set; false when the factorisation fails.
bool DualNewton::start(const BoundedLeastSquaresProblem& problem, const BoundedLeastSquaresSolution& solution) {
  for (Eigen::Index i = 0; i < x_.size(); ++i) {
    const BoundState state = solution.state[i];
    const bool at_lower = state == BoundState::at_lower && std::isfinite(problem.lower[i]);
    const bool at_upper = state == BoundState::at_upper && std::isfinite(problem.upper[i]);
    slopes_[i] = at_lower || at_upper ? 0.0 : compliance_[i];
    x_[i] = at_lower || compliance_[i] == 0.0 ? problem.lower[i] : at_upper ? problem.upper[i] : problem.x0[i];
  }
  start_terms_ = rhs_.norm() + (equality_lengths_ + objective_lengths_).dot(x_.cwiseAbs());
  if (!factor()) return false;
  y_ = rhs_;
  y_.noalias() -= transposed_.transpose() * x_;
  solve_factored(y_);
  evaluate(problem);
  return true;
}

void DualNewton::evaluate(const BoundedLeastSquaresProblem& problem) {
  weighted_.noalias() = transposed_ * y_;
  for (Eigen::Index i = 0; i < x_.size(); ++i) {
    const double unclamped = problem.x0[i] + compliance_[i] * weighted_[i];
    const double x = std::min(std::max(unclamped, problem.lower[i]), problem.upper[i]);
    unclamped_[i] = unclamped;
    x_[i] = x;
    slopes_[i] = x == unclamped ? compliance_[i] : 0.0;
  }
  F_.noalias() = transposed_.transpose() * x_;
  F_ -= rhs_;
  F_.tail(F_.size() - equality_rows_) += y_.tail(F_.size() - equality_rows_);
}

bool DualNewton::is_root() const {
  const Eigen::Index objective_rows = F_.size() - equality_rows_;
  const double equality_terms = rhs_.head(equality_rows_).norm() + equality_lengths_.dot(x_.cwiseAbs());
  const double objective_terms = rhs_.tail(objective_rows).norm() + objective_lengths_.dot(x_.cwiseAbs());
  return F_.head(equality_rows_).norm() <= kRootTolerance * equality_terms &&
         F_.tail(objective_rows).norm() <= kRootTolerance * objective_terms;
}

bool DualNewton::factor() {
  factored_slopes_ = slopes_;
  const Eigen::Index size = cholesky_.rows();
  for (Eigen::Index col = 0; col < size; ++col) {
    weighted_ = transposed_.col(col).cwiseProduct(slopes_);
    for (Eigen::Index row = col; row < size; ++row) cholesky_(row, col) = weighted_.dot(transposed_.col(row));
    if (col >= equality_rows_) cholesky_(col, col) += 1.0;
  }
  for (Eigen::Index col = 0; col < size; ++col) {
    const double diagonal = cholesky_(col, col);
    double pivot = diagonal;
    for (Eigen::Index k = 0; k < col; ++k) pivot -= cholesky_(col, k) * cholesky_(col, k);
    if (!(pivot > kPivotTolerance * diagonal) || !std::isfinite(pivot)) return false;
    const double inverse = 1.0 / std::sqrt(pivot);
    cholesky_(col, col) = inverse;
    for (Eigen::Index row = col + 1; row < size; ++row) {
      double sum = cholesky_(row, col);
      for (Eigen::Index k = 0; k < col; ++k) sum -= cholesky_(row, k) * cholesky_(col, k);
      cholesky_(row, col) = sum * inverse;
    }
  }
  return true;
}

void DualNewton::solve_factored(Eigen::VectorXd& rhs) const {
  const Eigen::Index size = rhs.size();
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) rhs[i] -= cholesky_(i, k) * rhs[k];
    rhs[i] *= cholesky_(i, i);
  }
  for (Eigen::Index i = size - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < size; ++k) rhs[i] -= cholesky_(k, i) * rhs[k];
    rhs[i] *= cholesky_(i, i);
  }
}

/// One Newton step, shortened until the slope along it no longer overshoots the minimum. False: no descent found.
bool DualNewton::step(const BoundedLeastSquaresProblem& problem) {
  const bool is_refinement = slopes_ == factored_slopes_;
  if (!is_refinement && !factor()) return false;
  direction_ = -F_;
  solve_factored(direction_);
  const double slope = F_.dot(direction_);
  if (!(slope < 0.0)) return false;
  const double before = F_.norm();
  y_before_ = y_;
  y_ += direction_;
  evaluate(problem);
  double length = 1.0;
  for (int tries = 0; slopes_ != factored_slopes_; ++tries) {
    const double slope_here = F_.dot(direction_);
    if (slope_here <= -kOvershoot * slope) return true;
    if (tries == kMaxBacktracks) return false;
    length *= slope / (slope - slope_here);
    y_ = y_before_ + length * direction_;
    evaluate(problem);
  }
  // On one piece F is linear: a step that leaves more than a tenth of it is limited by rounding.
  return is_root() || length < 1.0 || F_.norm() <= 0.1 * before;
}

void DualNewton::write(const BoundedLeastSquaresProblem& problem, BoundedLeastSquaresSolution& solution) const {
  solution.x = x_;
  for (Eigen::Index i = 0; i < x_.size(); ++i) {
    const bool is_free = slopes_[i] > 0.0;
    const bool is_lower = compliance_[i] == 0.0 || unclamped_[i] < problem.lower[i];
    solution.state[i] = is_free ? BoundState::free : is_lower ? BoundState::at_lower : BoundState::at_upper;
    solution.bound_multipliers[i] = is_free ? 0.0 : problem.D[i] * problem.D[i] * (x_[i] - unclamped_[i]);
    if (compliance_[i] == 0.0) solution.bound_multipliers[i] -= transposed_.row(i).dot(y_);
  }
  solution.equality_multipliers = -y_.head(equality_rows_);
  solution.equality_residual = F_.head(equality_rows_);
  solution.equality_bound_multipliers.setZero();
}

}  // namespace aplomb
