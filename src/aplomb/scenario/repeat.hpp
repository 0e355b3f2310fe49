#pragma once

#include <cstdint>
#include <vector>

#include "aplomb/scenario/many_runs.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

inline constexpr std::int64_t kMostRuns = 100'000;

/// What run `run` (from 0) of a repeated scenario changes: its own seed, and a value drawn for each key of `vary`. As
/// `--set` options they repeat this run alone.
std::vector<Override> values_of_run(const Scenario& scenario, std::int64_t run);

/// Runs a scenario 1 to kMostRuns times. The same scenario gives the same output, whatever the number of jobs and
/// whatever was kept; run i depends on the scenario and on i alone. A run that ends with an error counts as failed.
/// Throws InvalidValue when all do, Interrupted on Ctrl-C, FileError when a finished run cannot be kept.
ManyRunsResult repeat_scenario(const Scenario& scenario, std::int64_t runs, const ManyRunsOptions& options);

}  // namespace aplomb
