#include "aplomb/solvers/optimality.hpp"

#include <cmath>

namespace aplomb {
namespace {

double dot_column(const Eigen::MatrixXd& matrix, Eigen::Index col, const Eigen::VectorXd& x, const Eigen::VectorXd& rhs,
                  double& size) {
  double sum = 0.0;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    if (matrix(row, col) != 0.0) sum += matrix(row, col) * (matrix.row(row).dot(x) - rhs[row]);
  }
  size = matrix.col(col).norm();
  return sum;
}

/// Part of a derivative that the bounds do not explain: at a lower bound it may be positive, at an upper one negative.
double unexplained(double derivative, bool is_at_lower, bool is_at_upper) {
  if (is_at_lower && is_at_upper) return 0.0;
  if (is_at_lower) return std::max(0.0, -derivative);
  if (is_at_upper) return std::max(0.0, derivative);
  return std::abs(derivative);
}

double relative(double value, double unit) { return value == 0.0 ? 0.0 : value / unit; }

}  // namespace

OptimalityReport check_optimality(const BoundedLeastSquaresProblem& problem,
                                  const BoundedLeastSquaresSolution& solution) {
  const Eigen::VectorXd& x = solution.x;
  double equality_terms = problem.d.norm();
  double objective_terms = std::hypot(problem.b.norm(), problem.D.cwiseProduct(problem.x0).norm());
  double longest = 0.0;
  double longest_equality = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    equality_terms += problem.C.col(i).norm() * std::abs(x[i]);
    longest_equality = std::max(longest_equality, problem.C.col(i).norm());
    const double length = std::hypot(problem.A.col(i).norm(), problem.D[i]);
    objective_terms += length * std::abs(x[i]);
    longest = std::max(longest, length);
  }
  double multiplier_terms = solution.equality_multipliers.norm();
  if (longest_equality > 0.0) {
    objective_terms += longest * x.lpNorm<Eigen::Infinity>();
    multiplier_terms += longest * objective_terms / longest_equality;
  }
  OptimalityReport report;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    report.bounds = std::max({report.bounds, problem.lower[i] - x[i], x[i] - problem.upper[i]});
    const bool is_at_lower = x[i] <= problem.lower[i];
    const bool is_at_upper = x[i] >= problem.upper[i];
    double c_length = 0.0;
    double a_length = 0.0;
    const double pull = dot_column(problem.C, i, x, problem.d, c_length);
    const double equality = relative(unexplained(pull, is_at_lower, is_at_upper), c_length * equality_terms);
    report.equalities = std::max(report.equalities, equality);
    const bool is_held = (is_at_lower || is_at_upper) && solution.equality_bound_multipliers[i] != 0.0 &&
                         std::abs(pull) > kVisibleDerivative * c_length * equality_terms;
    if (is_held) continue;
    const double D = problem.D[i];
    const double gradient = dot_column(problem.A, i, x, problem.b, a_length) + D * D * (x[i] - problem.x0[i]) +
                            problem.C.col(i).dot(solution.equality_multipliers);
    const double unit = std::hypot(a_length, D) * objective_terms + c_length * multiplier_terms;
    report.objective = std::max(report.objective, relative(unexplained(gradient, is_at_lower, is_at_upper), unit));
  }
  return report;
}

}  // namespace aplomb
