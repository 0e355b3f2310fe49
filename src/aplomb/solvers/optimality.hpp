#pragma once

#include <algorithm>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Residuals of the optimality conditions, each relative to the magnitude of the terms that cancel in it. Computed from
/// the problem and the solution alone: the certificate, independent of the method.
/// Units, with ã_i column i of (A; D), c_i of C:
///   equalities   |c_i| (|d| + Σ |c_j| |x_j|)
///   objective    |ã_i| (|(b; D x0)| + Σ |ã_j| |x_j|)
/// and with equalities, which tie the variables to each other and give the multipliers rounding of their own,
///   objective    |ã_i| s + |c_i| (|equality_multipliers| + a s / c),   s = |(b; D x0)| + Σ |ã_j| |x_j| + a max |x_j|,
/// a and c the longest columns of (A; D) and C.
struct OptimalityReport {
  double bounds = 0.0;      ///< largest violation of a bound, absolute; a solver leaves 0
  double equalities = 0.0;  ///< worst derivative of |C x − d|²/2 that the bounds do not explain
  double objective = 0.0;   ///< worst derivative of the objective/2 that neither bounds nor equalities explain
  double worst() const { return std::max({bounds, equalities, objective}); }
};

/// Derivatives of |C x − d|² above this are significant; below it is rounding.
inline constexpr double kVisibleDerivative = 1e-13;

/// Never allocates. A variable that the solution reports as held by the equalities, with a significant derivative of
/// |C x − d|², need not satisfy the condition of the objective.
OptimalityReport check_optimality(const BoundedLeastSquaresProblem& problem,
                                  const BoundedLeastSquaresSolution& solution);

}  // namespace aplomb
