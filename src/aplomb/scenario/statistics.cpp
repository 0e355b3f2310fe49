#include "aplomb/scenario/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/scenario/many/run_record.hpp"

namespace aplomb {
double quantile(const std::vector<double>& ascending, double share) {
  const double position = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - std::floor(position));
}

std::vector<MetricStatistics> statistics_of(const std::vector<RunRecord>& records) {
  std::vector<MetricStatistics> all;
  for (const std::string& metric : metric_names_of(records)) {
    const MetricInfo* info = find_metric(metric);
    const MetricInfo::Kind kind = info == nullptr ? MetricInfo::Kind::number : info->kind;
    if (kind == MetricInfo::Kind::text || kind == MetricInfo::Kind::list) continue;
    MetricStatistics one{.metric = metric, .is_flag = kind == MetricInfo::Kind::flag};
    for (const RunRecord& record : records) {
      if (const std::optional<double> value = record.metrics.number(metric)) one.ascending.push_back(*value);
    }
    double sum = 0.0;
    for (const double value : one.ascending) sum += value;  // in the order of the runs, whoever finished first
    if (!one.ascending.empty()) one.mean = sum / static_cast<double>(one.ascending.size());
    std::ranges::sort(one.ascending);
    all.push_back(std::move(one));
  }
  return all;
}

void set_statistics(const MetricStatistics& statistics, Metrics& metrics) {
  const bool exists = !statistics.ascending.empty();
  const auto set = [&](const char* suffix, double value) {
    metrics.set(statistics.metric + suffix, exists ? MetricValue(value) : MetricValue{});
  };
  if (!statistics.is_flag) {
    for (const auto& [suffix, share] :
         {std::pair("_p10", 0.1), {"_p50", 0.5}, {"_p90", 0.9}, {"_min", 0.0}, {"_max", 1.0}}) {
      set(suffix, exists ? statistics.p(share) : 0.0);
    }
  }
  set("_mean", statistics.mean);
}

}  // namespace aplomb
