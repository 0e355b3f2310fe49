#include "aplomb/solvers/solve_status.hpp"

namespace aplomb {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::iteration_limit:
      return "iteration limit";
    case SolveStatus::budget_spent:
      return "budget spent";
    case SolveStatus::numerical_trouble:
      return "numerical trouble";
    case SolveStatus::wrong_size:
      return "wrong size";
    case SolveStatus::invalid_bounds:
      return "invalid bounds";
    case SolveStatus::invalid_value:
      return "invalid value";
  }
  return "unknown";
}

}  // namespace aplomb
