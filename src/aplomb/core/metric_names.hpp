#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Meaning of a key of metrics.json or timing.json. `docs/metrics.md` shows this table; a test compares the two.
struct MetricInfo {
  enum class Kind { flag, count, number, text, list };
  std::string_view name;
  Kind kind = Kind::number;
  std::string_view unit;     ///< "-" for none
  std::string_view formula;  ///< one line
};

/// The keys that one part of the program computes.
struct MetricGroup {
  std::string_view title;  ///< "Every simulated run", "Momentum balance"
  std::span<const MetricInfo> metrics;
};

/// All keys of metrics.json. A key that two systems compute is in both groups.
std::span<const MetricGroup> metric_groups();

/// The keys of timing.json. They change from run to run, so that no check can be made on them.
std::span<const MetricInfo> timing_metrics();

/// Suffixes that `--repeat` appends to the name of every numeric metric: "_p10", ..., "_mean"; to that of a flag only
/// "_mean".
std::span<const std::string_view> repeat_suffixes();

/// A metric of metrics.json by name, also with one of `--repeat`'s suffixes; nullptr when there is none.
const MetricInfo* find_metric(std::string_view name);

/// A metric of many runs: `success_ratio`, `com_error_max_m_p90`.
bool is_repeat_metric(std::string_view name);
bool is_search_metric(std::string_view name);  ///< result of a `search`: `push_limit_n`

std::vector<std::string> metric_names();  ///< all names without suffixes, for suggestions

}  // namespace aplomb
