#pragma once

#include "aplomb/control/partial_force/closed_form_law.hpp"
#include "aplomb/control/partial_force/full_force_law.hpp"

namespace aplomb {

/// Solves the problem for one order of the motion levels: by the closed form, or, where that violates a limit or the
/// robot is not sufficiently constrained, by problem (2) in full.
class ForceHierarchy {
 public:
  enum class Law {
    closed_form,  ///< no limit was active
    bounded,      ///< a limit was active
    full,         ///< the robot is not sufficiently constrained: problem (2) in full
  };
  struct Outcome {
    Law law = Law::closed_form;
    bool is_cut_short = false;  ///< the solve was ended by its budget of operations
    int limit = -1;             ///< the active limit, numbered as in FullForceLaw; −1: none
    double force_unmet = 0.0;   ///< residual of the controlled forces [N], [N m]
    double com_unmet = 0.0;     ///< residual of the CoM's acceleration [m/s²]
  };
  /// `com_level`: index of the CoM's level in `shape`. Allocates; `model` must outlive this object.
  ForceHierarchy(const RobotModel& model, const ForceProblem& shape, const LevelOrder& order, std::size_t com_level,
                 bool has_limits, double budget = 0.0);

  /// False when no law has a solution. `terms` are those of `state`. Never allocates.
  bool solve(const RobotState& state, const RobotTerms& terms, const ForceProblem& problem, ForceSolution& solution);
  const Outcome& outcome() const { return outcome_; }  ///< outcome of the last solve
  const FullForceLaw& limits() const { return full_; }

 private:
  bool has_limits_;
  std::size_t com_level_;
  ClosedFormLaw closed_form_;
  FullForceLaw full_;
  Outcome outcome_;
};

}  // namespace aplomb
