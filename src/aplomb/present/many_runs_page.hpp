#pragma once

#include "aplomb/report/plot.hpp"
#include "aplomb/scenario/many_runs.hpp"

namespace aplomb {

/// Report of a repeated scenario: statistics, the runs that failed, every metric that differs between runs, and the
/// checked metrics over the varied values. Its first table is also printed on the terminal.
ReportPage repeat_page(const Scenario& scenario, const ManyRunsResult& many);

/// Report of a search: a table of the limits and, for several directions, a plot of them.
ReportPage search_page(const Scenario& scenario, const ManyRunsResult& many);

}  // namespace aplomb
