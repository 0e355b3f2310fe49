#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "aplomb/identify/model/static_problem.hpp"

namespace aplomb {

/// The sums that an estimate needs, over any postures: AᵀA, Aᵀb, bᵀb. Postures are added and taken away, never stacked.
struct NormalEquations {
  explicit NormalEquations(int num_parameters)
      : AtA(Eigen::MatrixXd::Zero(num_parameters, num_parameters)), Atb(Eigen::VectorXd::Zero(num_parameters)) {}
  void add(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& b, double sign = 1.0);

  Eigen::MatrixXd AtA;
  Eigen::VectorXd Atb;
  double btb = 0.0;
  std::int64_t num_rows = 0;
};

NormalEquations normal_equations(const StaticProblem& problem, std::span<const std::size_t> postures);

/// What was found, and how.
struct Estimate {
  Eigen::VectorXd phi;
  double prior_weight = 0.0;  ///< γ; 0 for least squares
  int iterations = 0;
  bool is_converged = true;
};

/// minimise ½|W φ − y|² + γ D(φ‖CAD): damped Newton from the CAD scaled to `start_mass`. Every iterate is feasible.
Estimate entropic_estimate(const NormalEquations& equations, const EntropicPrior& prior, double weight,
                           const Eigen::VectorXd& start);

/// Plain weighted least squares, the shortest φ (columns scaled): directions that the data do not show are zero.
struct LeastSquares {
  Eigen::VectorXd phi;
  int rank = 0;
  Eigen::MatrixXd covariance;  ///< of φ in the directions that are seen, times the residual's variance
  Eigen::MatrixXd unseen;      ///< orthonormal (in scaled columns): what no posture shows
  Eigen::MatrixXd
      seen_rows;  ///< rank × parameters: as few rows as have the same normal equations, what is unseen left out
  Eigen::VectorXd scale;     ///< of the columns
  double variance = 1.0;     ///< s² = |r|² / (rows − rank): 1 when the noise was stated rightly
  std::int64_t freedom = 0;  ///< rows − rank
};
LeastSquares least_squares(const NormalEquations& equations, const Eigen::VectorXd& scale, double relative_tolerance);

/// γ by how likely it makes the postures that were left out, k-fold; postures are never split.
struct WeightChoice {
  double weight = 1.0;
  std::vector<double> weights, errors;  ///< mean squared whitened residual of what was left out
};
WeightChoice choose_prior_weight(const StaticProblem& problem, std::span<const std::size_t> postures, int folds);

/// Folds of shuffled postures; the same seed, the same folds.
std::vector<std::vector<std::size_t>> make_folds(std::size_t count, int folds, std::uint64_t seed);
std::vector<std::size_t> all_but(std::size_t count, std::span<const std::size_t> left_out);

/// The CAD with every mass multiplied so that the total is what the forces say: the cheapest correction there is.
Eigen::VectorXd mass_scaled_cad(const StaticProblem& problem, std::span<const std::size_t> postures);

}  // namespace aplomb
