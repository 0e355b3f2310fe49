#include "aplomb/identify/uncertainty.hpp"

#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnseen = 1e-3;  // largest unidentifiable fraction of a combination's length, columns scaled

bool is_seen(const LeastSquares& plain, const Eigen::VectorXd& combination) {
  const Eigen::VectorXd scaled = plain.scale.cwiseProduct(combination);
  return (plain.unseen.transpose() * scaled).norm() <= kUnseen * scaled.norm();
}

/// Probability density of Student's t distribution with n degrees of freedom.
double student_density(double t, double n) {
  return std::exp(std::lgamma(0.5 * (n + 1.0)) - std::lgamma(0.5 * n) - 0.5 * (n + 1.0) * std::log1p(t * t / n)) /
         std::sqrt(n * 3.14159265358979323846);
}

/// P(|T| < t), by Simpson's rule.
double student_inside(double t, double n) {
  constexpr int kSteps = 2000;
  const double step = t / kSteps;
  double sum = student_density(0.0, n) + student_density(t, n);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * student_density(i * step, n);
  return 2.0 * sum * step / 3.0;
}

}  // namespace

double student_95(double n) {
  if (!(n >= 1.0)) return kInfinity;
  double low = 1.9, high = 13.0;  // 1.96 for the normal distribution, 12.7 for one degree of freedom
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (student_inside(middle, n) < 0.95 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double interval_95(const LeastSquares& plain, const Eigen::VectorXd& combination) {
  if (!is_seen(plain, combination)) return kInfinity;
  return student_95(static_cast<double>(plain.freedom)) * std::sqrt(combination.dot(plain.covariance * combination));
}

Eigen::MatrixXd com_covariance(const StaticProblem& problem, const LeastSquares& plain, const Eigen::VectorXd& phi,
                               const Eigen::MatrixXd& moments) {
  // c = Y φ / M, so ∂c/∂φ = (Y − c 1ᵀ) / M.
  const double mass = problem.mass.dot(phi);
  const Eigen::VectorXd com = moments * phi / mass;
  const Eigen::MatrixXd slope = (moments - com * problem.mass) / mass;
  for (Eigen::Index i = 0; i < slope.rows(); ++i) {
    if (!is_seen(plain, slope.row(i).transpose()))
      return Eigen::MatrixXd::Constant(slope.rows(), slope.rows(), kInfinity);
  }
  return slope * plain.covariance * slope.transpose();
}

}  // namespace aplomb
