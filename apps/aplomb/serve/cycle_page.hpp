#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aplomb/link/cycle_times.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Histogram of times as a table: one column for each of `times`, one row for each range.
PageTable cycle_table(const std::vector<std::pair<std::string, const CycleTimes*>>& times);

}  // namespace aplomb
