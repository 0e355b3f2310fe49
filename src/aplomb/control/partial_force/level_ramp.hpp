#pragma once

#include <vector>

#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/partial_force/force_hierarchy.hpp"

namespace aplomb {

/// The order of the levels of motion over time. While it changes, both orders are solved and the solutions blended,
///   x = (1 − s) x_before + s x_after   for v̇, τ and all f.
/// Dynamics and contacts are linear and the limits convex, so the blend satisfies them as both solutions do; before and
/// after, priorities are strict. s rises so that the change itself moves no torque by more than a bound in a tick.
class LevelRamp {
 public:
  using Change = PartialForce::LevelChange;
  using Settings = PartialForce::LevelRampSettings;
  /// `changes` must be in order of time; before the first, levels are as listed in `shape`. Allocates; `model` must
  /// outlive this object.
  LevelRamp(const RobotModel& model, const ForceProblem& shape, const std::vector<Change>& changes,
            std::size_t com_level, bool has_limits, const Settings& settings);

  /// False when there is no solution. Never allocates.
  bool solve(double time_s, const RobotState& state, const RobotTerms& terms, const ForceProblem& problem,
             ForceSolution& solution);
  const ForceHierarchy::Outcome& outcome() const { return hierarchies_[present_].outcome(); }
  const FullForceLaw& limits() const { return hierarchies_.front().limits(); }
  bool is_changing() const { return share_ < 1.0; }
  std::size_t present() const { return present_; }  ///< how many changes have begun

 private:
  bool mix(const RobotState& state, const RobotTerms& terms, const ForceProblem& problem, ForceSolution& solution);

  Settings settings_;
  double largest_torque_;  ///< change in a tick [N m]
  std::vector<double> start_s_;
  std::vector<ForceHierarchy> hierarchies_;  ///< as listed, then after each change
  std::size_t present_ = 0;
  double share_ = 1.0;  ///< of the present order; the rest is that before it
  ForceSolution before_;
};

}  // namespace aplomb
