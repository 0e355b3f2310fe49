#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "aplomb/scenario/many/many_runs.hpp"

namespace aplomb {

/// What was found in one direction.
struct SearchOutcome {
  std::map<std::int64_t, RunRecord> tried;       ///< by the index of the value
  std::optional<std::int64_t> limit;             ///< index of the largest value that passes; absent: none does
  std::optional<std::int64_t> smallest_failure;  ///< index of the smallest value that was seen to fail
};

/// Fills in what a reader sees of a search: a table of the directions, a CSV of all runs, and, for several directions,
/// a plot of the limits.
void report_search(const Scenario& scenario, const std::vector<SearchOutcome>& outcomes, ManyRunsOutput& output);

}  // namespace aplomb
