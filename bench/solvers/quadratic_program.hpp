#pragma once

#include <Eigen/Core>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb::bench {

/// A bounded least-squares problem in the form of quadratic-programming solvers:
///   min ½ xᵀH x + gᵀx,   C x + c = 0,   R x + r ≥ 0,   R and r from the finite bounds.
struct QuadraticProgram {
  explicit QuadraticProgram(const BoundedLeastSquaresProblem& problem);

  Eigen::MatrixXd H;
  Eigen::VectorXd g;
  Eigen::MatrixXd C;
  Eigen::VectorXd c;
  Eigen::MatrixXd R;
  Eigen::VectorXd r;
};

}  // namespace aplomb::bench
