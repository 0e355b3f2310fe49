#pragma once

#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/scenario/many/run_record.hpp"

namespace aplomb {

/// The share-quantile of ascending values, linear between them: the value at position share (n - 1), counted from 0.
/// `ascending` has at least one value.
double quantile(const std::vector<double>& ascending, double share);

/// What the runs together say about one metric, over those in which it exists.
struct MetricStatistics {
  std::string metric;
  bool is_flag = false;           ///< true or false: only the mean is told, the share of runs in which it is true
  std::vector<double> ascending;  ///< its values, sorted
  double mean = 0.0;

  double p(double share) const { return quantile(ascending, share); }
};

/// Of every metric that is a number, true or false in some run. One that is null in all of them has no values.
std::vector<MetricStatistics> statistics_of(const std::vector<RunRecord>& records);

/// Sets `_p10`, `_p50`, `_p90`, `_min`, `_max` and `_mean` of a metric; null without values.
void set_statistics(const MetricStatistics& statistics, Metrics& metrics);

}  // namespace aplomb
