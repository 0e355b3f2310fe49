#pragma once

#include "aplomb/scenario/many_runs.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Looks for the largest value of `scenario.search` (which must be there) with which the scenario still passes its
/// checks, once for each direction, by bisection of the values low + i step. It is assumed that a scenario which fails
/// at one value fails at all larger ones; what lies between is not looked at. Where not even `low` passes, the limit is
/// null; where the largest value passes, it is that value, and counted in `search_unbracketed`. All runs have the
/// scenario's own seed. The output does not depend on the number of jobs, which are shared out by direction, nor on
/// what was kept. Throws as `repeat_scenario` does.
ManyRunsResult search_limit(const Scenario& scenario, const ManyRunsOptions& options);

}  // namespace aplomb
