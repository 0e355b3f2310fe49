#pragma once

#include <string_view>

namespace aplomb {

/// How a solve ended. After `solved`, `iteration_limit` and `numerical_trouble` the bounds of a bounded least-squares
/// problem hold.
enum class SolveStatus {
  solved,             ///< optimal; the certificate holds (`optimality.hpp`)
  iteration_limit,    ///< the best feasible point found, not proven optimal
  numerical_trouble,  ///< a feasible point whose certificate fails because of rounding or overflow
  wrong_size,         ///< the problem's sizes are not those given to the solver's constructor
  invalid_bounds,     ///< a lower bound above its upper bound, or an infinite one on the wrong side
  invalid_value,      ///< an entry that is not finite (infinite bounds are legal), or a norm beyond `kLargestNorm`
  budget_spent        ///< TaskHierarchy: out of operations; the point reached, whose bounds need not hold
};

/// Matrices and vectors with a larger norm are refused: their squares would overflow half-way through a solve.
inline constexpr double kLargestNorm = 1e60;

std::string_view to_string(SolveStatus status);

}  // namespace aplomb
