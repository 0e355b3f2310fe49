#include "solvers/quadratic_program.hpp"

#include <cmath>

namespace aplomb::bench {

QuadraticProgram::QuadraticProgram(const BoundedLeastSquaresProblem& problem)
    : H(problem.A.transpose() * problem.A),
      g(-problem.A.transpose() * problem.b - problem.D.cwiseAbs2().cwiseProduct(problem.x0)),
      C(problem.C),
      c(-problem.d) {
  H.diagonal() += problem.D.cwiseAbs2();
  const Eigen::Index num_bounds = problem.lower.array().isFinite().count() + problem.upper.array().isFinite().count();
  R.setZero(num_bounds, problem.A.cols());
  r.resize(num_bounds);
  Eigen::Index row = 0;
  for (Eigen::Index i = 0; i < problem.A.cols(); ++i) {
    for (const double sign : {1.0, -1.0}) {
      const double bound = sign > 0.0 ? problem.lower[i] : problem.upper[i];
      if (!std::isfinite(bound)) continue;
      R(row, i) = sign;
      r[row] = -sign * bound;
      ++row;
    }
  }
}

}  // namespace aplomb::bench
