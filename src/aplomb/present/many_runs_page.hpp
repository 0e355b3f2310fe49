#pragma once

#include "aplomb/report/plot.hpp"
#include "aplomb/scenario/many_runs.hpp"

namespace aplomb {

/// Report of a repeated scenario: statistics, the runs that failed, every metric that differs between runs, and the
/// checked ones over the values that were varied. Its first table is what a terminal shows.
ReportPage repeat_page(const Scenario& scenario, const ManyRunsResult& many);

/// Report of a search: a table of the limits and, for several directions, a plot of them.
ReportPage search_page(const Scenario& scenario, const ManyRunsResult& many);

}  // namespace aplomb
