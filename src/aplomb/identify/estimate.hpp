#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "aplomb/identify/model.hpp"

namespace aplomb {

/// Sums of the normal equations over a set of postures: AᵀA, Aᵀb, bᵀb. Postures are added to the sums and subtracted
/// from them; their rows are never stacked.
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

/// Regularised estimate of the parameters.
struct Estimate {
  Eigen::VectorXd phi;
  double prior_weight = 0.0;  ///< γ; 0 for least squares
  int iterations = 0;
  bool is_converged = true;
};

/// min ½|W φ − y|² + γ D(φ‖CAD) by a damped Newton method from a feasible `start`. Every iterate is feasible.
Estimate entropic_estimate(const NormalEquations& equations, const EntropicPrior& prior, double weight,
                           const Eigen::VectorXd& start);

/// Plain weighted least squares with the minimum-norm φ (columns scaled): zero along directions that the data do not
/// identify.
struct LeastSquares {
  Eigen::VectorXd phi;
  int rank = 0;
  Eigen::MatrixXd covariance;  ///< covariance of φ in the identifiable directions, scaled by the residual variance
  Eigen::MatrixXd unseen;      ///< orthonormal basis (in scaled columns) of the unidentifiable directions
  Eigen::MatrixXd seen_rows;   ///< rank × parameters: the fewest rows with the same normal equations
  Eigen::VectorXd scale;       ///< scale of each column
  double variance = 1.0;       ///< residual variance s² = |r|² / (rows − rank): 1 when the stated noise is right
  std::int64_t freedom = 0;    ///< degrees of freedom, rows − rank
};

/// Singular values below `relative_tolerance` times the largest one count as zero.
LeastSquares least_squares(const NormalEquations& equations, const Eigen::VectorXd& scale, double relative_tolerance);

/// Prior weight γ, chosen by its likelihood on left-out postures (k-fold); the samples of a posture are never split.
struct WeightChoice {
  double weight = 1.0;
  std::vector<double> weights, errors;  ///< candidates, and their mean squared whitened residual on left-out postures
};
WeightChoice choose_prior_weight(const StaticProblem& problem, std::span<const std::size_t> postures, int folds);

/// Splits shuffled postures into folds; the same seed yields the same folds.
std::vector<std::vector<std::size_t>> make_folds(std::size_t count, int folds, std::uint64_t seed);
std::vector<std::size_t> all_but(std::size_t count, std::span<const std::size_t> left_out);

/// The CAD with every mass multiplied by one factor, so that the total agrees with the forces: the simplest correction.
Eigen::VectorXd mass_scaled_cad(const StaticProblem& problem, std::span<const std::size_t> postures);

}  // namespace aplomb
