#pragma once

#include <vector>

#include "aplomb/scenario/many/many_runs.hpp"
#include "aplomb/scenario/many/statistics.hpp"

namespace aplomb {

/// Fills in what a reader sees of a repeated scenario: the table of runs, its CSV, and the page with the statistics,
/// the runs that failed, every metric that differs between runs, and those that are checked over what was varied.
void report_repeat(const Scenario& scenario, const std::vector<RunRecord>& records,
                   const std::vector<MetricStatistics>& statistics, ManyRunsOutput& output);

}  // namespace aplomb
