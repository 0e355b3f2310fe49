#pragma once

#include <vector>

#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {

/// Changes the order of the motion levels over time. During a change, both orders are solved and the solutions blended,
///   x = (1 − s) x_before + s x_after   for v̇, τ and all f.
/// Dynamics and contacts are linear and the limits convex, so the blend satisfies them as both solutions do; before and
/// after a change, priorities are strict. s rises slowly enough that the change itself moves no torque by more than a
/// bound per tick.
class LevelRamp {
 public:
  using Change = PartialForce::LevelChange;
  using Settings = PartialForce::LevelRampSettings;
  /// `changes` must be in order of time; before the first, levels are as listed in `shape`. Allocates; `model` must
  /// outlive this object.
  LevelRamp(const RobotModel& model, const ForceProblem& shape, const std::vector<Change>& changes,
            std::size_t com_level, bool has_limits, const Settings& settings, double budget = 0.0);

  /// False when there is no solution. Never allocates.
  bool solve(double time_s, const RobotState& state, const RobotTerms& terms, const ForceProblem& problem,
             ForceSolution& solution);
  const ForceHierarchy::Outcome& outcome() const { return hierarchies_[present_].outcome(); }
  bool is_cut_short() const;  ///< a solve of the last tick was ended by its budget of operations
  const FullForceLaw& limits() const { return hierarchies_.front().limits(); }
  bool is_changing() const { return share_ < 1.0; }
  std::size_t present() const { return present_; }  ///< number of changes that have begun

 private:
  bool mix(const RobotState& state, const RobotTerms& terms, const ForceProblem& problem, ForceSolution& solution);

  Settings settings_;
  double largest_torque_;  ///< largest change of a torque per tick [N m]
  std::vector<double> start_s_;
  std::vector<ForceHierarchy> hierarchies_;  ///< one for the initial order, then one for each change
  std::size_t present_ = 0;
  double share_ = 1.0;  ///< s, weight of the present order against the previous one
  ForceSolution before_;
};

}  // namespace aplomb
