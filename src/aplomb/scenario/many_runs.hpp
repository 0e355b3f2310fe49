#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

class PartialResults;  // core/files/partial_results.hpp
class RisePlanner;     // pipeline/rise_planner.hpp

/// How the runs of a repeat or a search are made.
struct ManyRunsOptions {
  std::size_t jobs = 1;                                      ///< at the same time
  PartialResults* kept = nullptr;                            ///< finished runs are found and kept here; may be absent
  std::function<void(double done, double all)> on_progress;  ///< in runs; never from two threads at once
  RisePlanner* planner = nullptr;                            ///< shared by the runs; absent: one of their own
};

/// Record of one run of many.
struct RunRecord {
  bool ok = false;                         ///< every check of the run held
  std::vector<std::string> failed_checks;  ///< the metrics of those that did not
  std::string error;                       ///< why there are no metrics; empty: there are
  Metrics metrics;                         ///< a number that is not finite is null
};

/// "fell, com_error_max_m", of a rise also which margin was lost first; or the error: why a run failed.
std::string failure_text(const RunRecord& record);

/// The share-quantile of ascending values, linear between them: the value at position share (n - 1), counted from 0.
/// `ascending` has at least one value.
double quantile(const std::vector<double>& ascending, double share);

/// Statistics of one metric over the runs in which it exists.
struct MetricStatistics {
  std::string metric;
  bool is_flag = false;  ///< true or false: only the mean is reported, the fraction of runs in which it is true
  std::vector<double> ascending;  ///< its values, sorted
  double mean = 0.0;

  double p(double share) const { return quantile(ascending, share); }
};

/// Outcome of a search in one direction.
struct SearchOutcome {
  std::map<std::int64_t, RunRecord> tried;       ///< by the index of the value
  std::optional<std::int64_t> limit;             ///< index of the largest value that passes; absent: none does
  std::optional<std::int64_t> smallest_failure;  ///< index of the smallest value that was seen to fail
};

/// Everything that a repeat or a search leaves behind; `present/many_runs_page.hpp` makes a report of it.
struct ManyRunsResult {
  Result result;
  Metrics headline{};                        ///< metrics of the runs together, without the statistics of each metric
  Log table;                                 ///< numbers that the report's plots draw
  std::string csv;                           ///< one row a run, with everything
  std::vector<RunRecord> records;            ///< of a repeat, in order
  std::vector<MetricStatistics> statistics;  ///< of a repeat
  std::vector<SearchOutcome> searches;       ///< of a search, by direction
};

/// What kept runs depend on, besides the contents of the files that they read (PartialResults has those): the scenario
/// with its overrides, the folder of its relative paths, the version. `kind`: "repeat" or "search".
std::vector<std::pair<std::string, std::string>> work_of(const Scenario& scenario, std::string_view kind);

/// A sentence for each check on many runs that `judges` does not accept and that therefore was not made.
std::vector<std::string> notes_on_unjudged(const Scenario& scenario,
                                           const std::function<bool(std::string_view)>& judges);

}  // namespace aplomb
