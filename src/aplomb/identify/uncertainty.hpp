#pragma once

#include <Eigen/Core>

#include "aplomb/identify/estimate.hpp"

namespace aplomb {

/// The t with P(|T| < t) = 0.95 for Student's distribution; infinite without a degree of freedom.
double student_95(double degrees_of_freedom);

/// Half the width of the 95 % interval of `combination` φ. Infinite when the data do not show it.
double interval_95(const LeastSquares& plain, const Eigen::VectorXd& combination);

/// Covariance of the predicted CoM (forward, and lateral where the model has it) in a posture [m²]: its ellipse.
/// `moments` as in CopPrediction. Infinite where the data do not show it.
Eigen::MatrixXd com_covariance(const StaticProblem& problem, const LeastSquares& plain, const Eigen::VectorXd& phi,
                               const Eigen::MatrixXd& moments);

}  // namespace aplomb
