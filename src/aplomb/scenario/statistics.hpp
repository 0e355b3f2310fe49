#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/scenario/many_runs.hpp"

namespace aplomb {

/// Of every metric that is a number, true or false in some run. One that is null in all of them has no values.
std::vector<MetricStatistics> statistics_of(const std::vector<RunRecord>& records);

/// Sets `_p10`, `_p50`, `_p90`, `_min`, `_max` and `_mean` of a metric; null without values.
void set_statistics(const MetricStatistics& statistics, Metrics& metrics);

}  // namespace aplomb
