#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "aplomb/identify/estimate.hpp"
#include "aplomb/identify/estimate/entropic_prior.hpp"

namespace aplomb {
namespace {

constexpr int kMaxIterations = 200;
constexpr int kMaxHalvings = 40;           // halvings of a step: down to 1e-12 of its length
constexpr double kSmallDecrement = 1e-13;  // Newton decrement over 1 + objective: the limit of double precision

/// Solves H x = −g with H scaled to a unit diagonal: masses and moments differ by powers of ten.
Eigen::VectorXd newton_step(const Eigen::MatrixXd& H, const Eigen::VectorXd& g) {
  const Eigen::VectorXd scale = H.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * H * scale.asDiagonal();
  return -(scale.asDiagonal() * scaled.ldlt().solve(scale.cwiseProduct(g)));
}

/// Geometric mean of the candidates γ, each weighted by the likelihood of the left-out data: exp(−½ Σ r²/s²), s² the
/// smallest error. With few postures the errors hardly differ over decades of γ, and the position of their minimum is
/// accidental.
double likely_weight(const WeightChoice& choice, double num_rows) {
  const double least = *std::ranges::min_element(choice.errors);
  double sum = 0.0, total = 0.0;
  for (std::size_t w = 0; w < choice.weights.size(); ++w) {
    const double likelihood = std::exp(-0.5 * num_rows * (choice.errors[w] / least - 1.0));
    sum += likelihood * std::log(choice.weights[w]);
    total += likelihood;
  }
  return std::exp(sum / total);
}

}  // namespace

void NormalEquations::add(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& b,
                          double sign) {
  AtA.noalias() += sign * A.transpose() * A;
  Atb.noalias() += sign * A.transpose() * b;
  btb += sign * b.squaredNorm();
  num_rows += (sign > 0.0 ? 1 : -1) * A.rows();
}

NormalEquations normal_equations(const StaticProblem& problem, std::span<const std::size_t> postures) {
  NormalEquations equations(problem.num_parameters());
  for (const std::size_t k : postures) equations.add(problem.rows[k].W, problem.rows[k].y);
  return equations;
}

Estimate entropic_estimate(const NormalEquations& equations, const EntropicPrior& prior, double weight,
                           const Eigen::VectorXd& start) {
  Estimate estimate{.phi = start, .prior_weight = weight, .is_converged = false};
  for (; estimate.iterations < kMaxIterations; ++estimate.iterations) {
    const Eigen::VectorXd slope = equations.AtA * estimate.phi - equations.Atb;  // gradient of the data term
    const double distance = prior.value(estimate.phi);
    // ½|Wφ − y|² + γD, only a scale for the decrement. Its change is computed separately: |y|² may be 1e10 times as
    // large.
    const double value =
        std::max(0.0, 0.5 * (estimate.phi.dot(slope - equations.Atb) + equations.btb)) + weight * distance;
    Eigen::VectorXd gradient = slope;
    Eigen::MatrixXd hessian = equations.AtA;
    prior.add_derivatives(estimate.phi, weight, gradient, hessian);
    const Eigen::VectorXd step = newton_step(hessian, gradient);
    const double decrement = -gradient.dot(step);
    if (!(decrement > kSmallDecrement * (1.0 + value))) {
      estimate.is_converged = std::isfinite(decrement);
      break;
    }
    const double along = slope.dot(step), curvature = step.dot(equations.AtA * step);
    double length = 1.0;
    const auto change = [&] {
      return length * (along + 0.5 * length * curvature) +
             weight * (prior.value(estimate.phi + length * step) - distance);
    };
    for (int halvings = 0; halvings < kMaxHalvings && !(change() <= -1e-4 * length * decrement); ++halvings)
      length *= 0.5;
    if (!(change() < 0.0)) {  // no decrease beyond rounding is left
      estimate.is_converged = decrement < 1e-8 * (1.0 + value);
      break;
    }
    estimate.phi += length * step;
  }
  return estimate;
}

LeastSquares least_squares(const NormalEquations& equations, const Eigen::VectorXd& scale, double relative_tolerance) {
  LeastSquares found{.scale = scale};
  const Eigen::MatrixXd scaled = scale.asDiagonal() * equations.AtA * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  const Eigen::VectorXd& values = eigen.eigenvalues();  // squared singular values, ascending
  const double least = relative_tolerance * relative_tolerance * values[values.size() - 1];
  found.rank = static_cast<int>((values.array() > least).count());
  const Eigen::MatrixXd seen = eigen.eigenvectors().rightCols(found.rank);
  found.unseen = eigen.eigenvectors().leftCols(values.size() - found.rank);
  const Eigen::VectorXd inverse = values.tail(found.rank).cwiseInverse();
  const Eigen::MatrixXd spread = scale.asDiagonal() * seen;
  found.phi = spread * inverse.asDiagonal() * spread.transpose() * equations.Atb;
  found.seen_rows =
      values.tail(found.rank).cwiseSqrt().asDiagonal() * seen.transpose() * scale.cwiseInverse().asDiagonal();
  found.freedom = equations.num_rows - found.rank;
  const double residual = std::max(0.0, equations.btb - found.phi.dot(2.0 * equations.Atb - equations.AtA * found.phi));
  found.variance =
      found.freedom > 0 ? residual / static_cast<double>(found.freedom) : std::numeric_limits<double>::infinity();
  found.covariance = found.variance * spread * inverse.asDiagonal() * spread.transpose();
  return found;
}

std::vector<std::vector<std::size_t>> make_folds(std::size_t count, int folds, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  // Fisher-Yates, because std::shuffle may differ between standard libraries and the split must be reproducible.
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<std::vector<std::size_t>> all(
      static_cast<std::size_t>(std::min<std::int64_t>(folds, static_cast<std::int64_t>(count))));
  for (std::size_t i = 0; i < count; ++i) all[i % all.size()].push_back(order[i]);
  return all;
}

std::vector<std::size_t> all_but(std::size_t count, std::span<const std::size_t> left_out) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::ranges::find(left_out, i) == left_out.end()) kept.push_back(i);
  }
  return kept;
}

Eigen::VectorXd mass_scaled_cad(const StaticProblem& problem, std::span<const std::size_t> postures) {
  // One unknown s in  W s φ_cad = y.
  double over = 0.0, under = 0.0;
  for (const std::size_t k : postures) {
    const Eigen::VectorXd cad = problem.rows[k].W * problem.cad;
    over += cad.dot(problem.rows[k].y);
    under += cad.squaredNorm();
  }
  return problem.cad * std::max(1e-3, over / under);
}

WeightChoice choose_prior_weight(const StaticProblem& problem, std::span<const std::size_t> postures, int folds) {
  WeightChoice choice;
  for (int half_decade = 6; half_decade >= -6; --half_decade)
    choice.weights.push_back(std::pow(10.0, 0.5 * half_decade));
  choice.errors.assign(choice.weights.size(), 0.0);
  const NormalEquations all = normal_equations(problem, postures);
  const Eigen::VectorXd start = mass_scaled_cad(problem, postures);
  for (const auto& fold : make_folds(postures.size(), folds, /*seed=*/1)) {
    NormalEquations training = all;
    for (const std::size_t i : fold) training.add(problem.rows[postures[i]].W, problem.rows[postures[i]].y, -1.0);
    Eigen::VectorXd phi = start;
    for (std::size_t w = 0; w < choice.weights.size(); ++w) {  // from strong to weak prior, each warm-started
      phi = entropic_estimate(training, *problem.prior, choice.weights[w], phi).phi;
      for (const std::size_t i : fold) {
        const PostureRows& rows = problem.rows[postures[i]];
        choice.errors[w] += (rows.W * phi - rows.y).squaredNorm() / static_cast<double>(all.num_rows);
      }
    }
  }
  choice.weight = likely_weight(choice, static_cast<double>(all.num_rows));
  return choice;
}

}  // namespace aplomb
