#pragma once

#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/scenario/compare.hpp"

namespace aplomb {

/// A comparison for `report/`: one table and overlaid plots. Metrics are named CONTROLLER.METRIC.
struct ComparisonReport {
  Result result;
  Log log;
  ReportPage page;
};
ComparisonReport comparison_report(const Comparison& comparison);

std::vector<std::string> comparison_header();
std::vector<std::vector<std::string>> comparison_rows(const Comparison& comparison);

}  // namespace aplomb
