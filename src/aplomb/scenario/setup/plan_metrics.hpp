#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/pipeline/rise_planner.hpp"

namespace aplomb {

/// Metrics of the planner that a run of its plan repeats: infeasible frames, slowdown, shift of the CoM target, ZMP
/// margin. Those of a plan from a folder are in its metrics.json; null where it has none. Throws FileError when that
/// file is damaged.
Metrics plan_metrics(const PlanRequest& request, const RisePlan& plan);

}  // namespace aplomb
