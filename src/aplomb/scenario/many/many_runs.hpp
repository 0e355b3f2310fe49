#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/scenario/many/partial_results.hpp"
#include "aplomb/scenario/many/run_record.hpp"
#include "aplomb/scenario/many/statistics.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// How the runs of a repeat or a search are made.
struct ManyRunsOptions {
  std::size_t jobs = 1;                                      ///< at the same time
  PartialResults* kept = nullptr;                            ///< finished runs are found and kept here; may be absent
  std::function<void(double done, double all)> on_progress;  ///< in runs; never from two threads at once
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

/// Makes runs, or finds them among those that an earlier process finished. Several threads may use one.
class RunMaker {
 public:
  RunMaker(const Scenario& scenario, const ManyRunsOptions& options);  ///< both must outlive it

  void expect(double runs) { expected_ = runs; }  ///< for the progress

  /// The run called `item`, if it was finished and kept before. It does not count as progress.
  std::optional<RunRecord> find(std::string_view item) const;
  /// Runs the scenario with some values changed, and keeps the record as `item`.
  RunRecord make(std::string_view item, std::span<const Override> changes);
  void skip(double runs);  ///< so many of the expected runs turned out not to be needed

  void set_timing(Metrics& timing, double wall_s) const;  ///< of what was made, not of what was found

 private:
  void advance(double runs, double simulated_s);

  const Scenario& scenario_;
  const ManyRunsOptions& options_;
  RisePlanner planner_;  ///< robots and plans that the runs share
  std::mutex mutex_;
  double expected_ = 0.0, done_ = 0.0, simulated_s_ = 0.0;
};

/// What kept runs depend on: scenario, robots, version. `kind`: "repeat" or "search".
PartialResults::Work work_of(const Scenario& scenario, std::string_view kind);

Provenance provenance_of_many(const Scenario& scenario);

/// The checks on many runs that `judges` accepts, or `standard` when there is none; and always that no run ended with
/// an error.
std::vector<CheckOutcome> judge_many(const Scenario& scenario, const std::function<bool(std::string_view)>& judges,
                                     const Check& standard, const Metrics& metrics);

/// A sentence for each check on many runs that `judges` does not accept: it was not made.
std::vector<std::string> notes_on_unjudged(const Scenario& scenario,
                                           const std::function<bool(std::string_view)>& judges);

/// Throws InvalidValue with the first error when every run ended with one: then the scenario cannot be run at all, and
/// nothing is kept.
void require_some_run(std::span<const RunRecord> records, const ManyRunsOptions& options);

}  // namespace aplomb
