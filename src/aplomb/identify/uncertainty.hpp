#pragma once

#include <Eigen/Core>

#include "aplomb/identify/estimate.hpp"

namespace aplomb {

/// The t with P(|T| < t) = 0.95 for Student's distribution; infinite without a degree of freedom.
double student_95(double degrees_of_freedom);

/// Half width of the 95 % confidence interval of `combination` φ; infinite when the data do not identify it.
double interval_95(const LeastSquares& plain, const Eigen::VectorXd& combination);

/// Covariance of the predicted CoM (forward, and lateral in the spatial model) in a posture [m²]. `moments` as in
/// CopPrediction. Infinite where the data do not identify it.
Eigen::MatrixXd com_covariance(const StaticProblem& problem, const LeastSquares& plain, const Eigen::VectorXd& phi,
                               const Eigen::MatrixXd& moments);

}  // namespace aplomb
