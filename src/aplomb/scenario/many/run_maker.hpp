#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/scenario/many_runs.hpp"
#include "aplomb/scenario/overrides.hpp"

namespace aplomb {

/// Executes runs, or reads the records of runs that an earlier process finished. Thread-safe.
class RunMaker {
 public:
  RunMaker(const Scenario& scenario, const ManyRunsOptions& options);  ///< both must outlive this object

  void expect(double runs) { expected_ = runs; }  ///< total number of runs, for the progress display

  /// Record of the run `item`, if an earlier process finished and stored it. It does not count as progress.
  std::optional<RunRecord> find(std::string_view item) const;
  /// Runs the scenario with some values changed, and stores the record as `item`.
  RunRecord make(std::string_view item, std::span<const Override> changes);
  void skip(double runs);  ///< counts expected runs that turned out unnecessary as done

  void set_timing(Metrics& timing, double wall_s) const;  ///< counts executed runs only, not those read from records

 private:
  void advance(double runs, double simulated_s);

  const Scenario& scenario_;
  const ManyRunsOptions& options_;
  RisePlanner own_;
  RisePlanner& planner_;  ///< robots and plans that the runs share
  std::mutex mutex_;
  double expected_ = 0.0, done_ = 0.0, simulated_s_ = 0.0;
};

Provenance provenance_of_many(const Scenario& scenario);

/// Evaluates the checks on many runs whose metric `judges` accepts, or `standard` when there is none; and always that
/// no run ended with an error.
std::vector<CheckOutcome> judge_many(const Scenario& scenario, const std::function<bool(std::string_view)>& judges,
                                     const Check& standard, const Metrics& metrics);

/// Throws InvalidValue with the first error when every run ended with an error: the scenario cannot be run at all. Then
/// stored records are removed.
void require_some_run(std::span<const RunRecord> records, const ManyRunsOptions& options);

}  // namespace aplomb
