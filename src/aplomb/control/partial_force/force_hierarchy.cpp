#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {
namespace {

constexpr double kTolerance = 1e-9;  // [N], [N m] tolerance of a limit, for rounding

}  // namespace

ForceHierarchy::ForceHierarchy(const RobotModel& model, const ForceProblem& shape, const LevelOrder& order,
                               std::size_t com_level, bool has_limits, double budget)
    : has_limits_(has_limits),
      com_level_(com_level),
      closed_form_(model, shape, order),
      full_(model, shape, order, has_limits, budget) {}

bool ForceHierarchy::solve(const RobotState& state, const RobotTerms& terms, const ForceProblem& problem,
                           ForceSolution& solution) {
  outcome_ = {};
  const bool is_closed = closed_form_.solve(state, problem, solution);
  if (is_closed && !has_limits_) return true;
  if (is_closed) {
    const FullForceLaw::Excess excess = full_.worst_excess(problem, solution);
    if (excess.amount <= kTolerance) return true;
    outcome_.law = Law::bounded;
    outcome_.limit = excess.row;
  } else {
    outcome_.law = Law::full;
  }
  const SolveStatus status = full_.solve(terms, problem, is_closed, solution);
  outcome_.is_cut_short = status == SolveStatus::budget_spent;
  if (status != SolveStatus::solved && !outcome_.is_cut_short) return false;
  outcome_.force_unmet = full_.force_residual();
  outcome_.com_unmet = full_.motion_residual(com_level_);
  if (outcome_.limit < 0) outcome_.limit = full_.active_limit();
  // Out of operations: the law without limits, which needs one more pass. Torques are clamped to their limits.
  if (outcome_.is_cut_short && is_closed) {
    closed_form_.solve(state, problem, solution);
    full_.clamp_torques(solution);
  }
  return true;
}

}  // namespace aplomb
