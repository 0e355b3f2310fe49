#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// Time of a plan against that of the person's clip. The plan begins and ends at rest, the person in general does not:
/// a lead and a tail are added, in which the motion comes to rest smoothly.
struct PlanClock {
  double rate_hz = 100.0;  ///< of the plan
  double lead_s = 0.10;    ///< shortest lead; the lead is lengthened until seat-off falls on a multiple of `grid`
  double tail_s = 0.30;
  Eigen::Index grid = 4;  ///< [samples of the plan]
  /// Every other change of a contact is moved to the nearest multiple of this, by at most half of it; a divisor of
  /// `grid`.
  Eigen::Index edge_grid = 2;
  /// How many times as slow as the person, by frame of the clip; empty: 1 everywhere.
  Eigen::VectorXd stretch{};
};

/// The clip on the clock of a plan: all its frames, contacts and keys are samples of the plan.
HumanPath on_plan_clock(const HumanPath& clip, const PlanClock& clock);

}  // namespace aplomb
