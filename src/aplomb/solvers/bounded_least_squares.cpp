#include "aplomb/solvers/bounded_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/solvers/input_check.hpp"
#include "aplomb/solvers/least_squares/dual_newton.hpp"
#include "aplomb/solvers/least_squares/primal_active_set.hpp"

namespace aplomb {

BoundedLeastSquaresProblem::BoundedLeastSquaresProblem(int rows, int columns, int equality_rows)
    : A(Eigen::MatrixXd::Zero(rows, columns)),
      b(Eigen::VectorXd::Zero(rows)),
      D(Eigen::VectorXd::Zero(columns)),
      x0(Eigen::VectorXd::Zero(columns)),
      lower(Eigen::VectorXd::Constant(columns, -std::numeric_limits<double>::infinity())),
      upper(Eigen::VectorXd::Constant(columns, std::numeric_limits<double>::infinity())),
      C(Eigen::MatrixXd::Zero(equality_rows, columns)),
      d(Eigen::VectorXd::Zero(equality_rows)) {}

class BoundedLeastSquares::Implementation {
 public:
  Implementation(int rows, int columns, int equality_rows);
  SolveStatus solve(const BoundedLeastSquaresProblem& problem);

  BoundedLeastSquaresSolution solution;
  bool is_warm = false;

 private:
  SolveStatus check(const BoundedLeastSquaresProblem& problem) const;
  bool is_finite() const;
  void clear(const BoundedLeastSquaresProblem& problem);

  int rows_;
  int equality_rows_;
  DualNewton dual_newton_;
  PrimalActiveSet active_set_;
};

BoundedLeastSquares::Implementation::Implementation(int rows, int columns, int equality_rows)
    : rows_(rows),
      equality_rows_(equality_rows),
      dual_newton_(rows, columns, equality_rows),
      active_set_(rows, columns, equality_rows) {
  solution.x.setZero(columns);
  solution.state.assign(static_cast<std::size_t>(columns), BoundState::free);
  solution.bound_multipliers.setZero(columns);
  solution.equality_multipliers.setZero(equality_rows);
  solution.equality_residual.setZero(equality_rows);
  solution.equality_bound_multipliers.setZero(columns);
}

SolveStatus BoundedLeastSquares::Implementation::solve(const BoundedLeastSquaresProblem& problem) {
  SolveStatus status = check(problem);
  if (status != SolveStatus::solved) {
    clear(problem);
    return status;
  }
  if (!is_warm) std::fill(solution.state.begin(), solution.state.end(), BoundState::free);
  if (dual_newton_.suits(problem) && dual_newton_.solve(problem, solution)) {
    is_warm = true;
  } else {
    status = active_set_.solve(problem, is_warm, solution);
    is_warm = true;
  }
  if (is_finite()) return status;
  clear(problem);
  return SolveStatus::numerical_trouble;
}

SolveStatus BoundedLeastSquares::Implementation::check(const BoundedLeastSquaresProblem& problem) const {
  const auto columns = solution.x.size();
  const bool has_right_size = problem.A.rows() == rows_ && problem.A.cols() == columns && problem.b.size() == rows_ &&
                              problem.D.size() == columns && problem.x0.size() == columns &&
                              problem.lower.size() == columns && problem.upper.size() == columns &&
                              problem.C.rows() == equality_rows_ && problem.C.cols() == columns &&
                              problem.d.size() == equality_rows_;
  if (!has_right_size) return SolveStatus::wrong_size;
  const bool has_good_values = is_within_range(problem.A) && is_within_range(problem.b) && is_within_range(problem.D) &&
                               is_within_range(problem.x0) && is_within_range(problem.C) && is_within_range(problem.d);
  if (!has_good_values) return SolveStatus::invalid_value;
  return check_bounds(problem.lower, problem.upper);
}

bool BoundedLeastSquares::Implementation::is_finite() const {
  const auto all_finite = [](const Eigen::VectorXd& values) { return std::isfinite((values * 0.0).sum()); };
  return all_finite(solution.x) && all_finite(solution.bound_multipliers) &&
         all_finite(solution.equality_multipliers) && all_finite(solution.equality_residual) &&
         all_finite(solution.equality_bound_multipliers);
}

/// Resets the solution to the point nearest to zero within the valid bounds; the next solve is a cold start.
void BoundedLeastSquares::Implementation::clear(const BoundedLeastSquaresProblem& problem) {
  is_warm = false;
  solution.x.setZero();
  solution.bound_multipliers.setZero();
  solution.equality_multipliers.setZero();
  solution.equality_residual.setZero();
  solution.equality_bound_multipliers.setZero();
  solution.iterations = 0;
  std::fill(solution.state.begin(), solution.state.end(), BoundState::free);
  if (problem.lower.size() != solution.x.size() || problem.upper.size() != solution.x.size()) return;
  for (Eigen::Index i = 0; i < solution.x.size(); ++i) {
    solution.x[i] = nearest_within(0.0, problem.lower[i], problem.upper[i]);
  }
}

BoundedLeastSquares::BoundedLeastSquares(int rows, int columns, int equality_rows) {
  if (rows < 0 || columns < 0 || equality_rows < 0) {
    throw InvalidValue("a bounded least-squares problem cannot have " + std::to_string(rows) + " rows, " +
                       std::to_string(columns) + " columns and " + std::to_string(equality_rows) +
                       " equality rows: give sizes of zero or more");
  }
  implementation_ = std::make_unique<Implementation>(rows, columns, equality_rows);
}

BoundedLeastSquares::~BoundedLeastSquares() = default;
BoundedLeastSquares::BoundedLeastSquares(BoundedLeastSquares&&) noexcept = default;
BoundedLeastSquares& BoundedLeastSquares::operator=(BoundedLeastSquares&&) noexcept = default;

SolveStatus BoundedLeastSquares::solve(const BoundedLeastSquaresProblem& problem) noexcept {
  return implementation_->solve(problem);
}

const BoundedLeastSquaresSolution& BoundedLeastSquares::solution() const noexcept { return implementation_->solution; }

void BoundedLeastSquares::forget_active_set() noexcept { implementation_->is_warm = false; }

}  // namespace aplomb
