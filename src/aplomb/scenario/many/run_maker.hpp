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

Provenance provenance_of_many(const Scenario& scenario);

/// The checks on many runs that `judges` accepts, or `standard` when there is none; and always that no run ended with
/// an error.
std::vector<CheckOutcome> judge_many(const Scenario& scenario, const std::function<bool(std::string_view)>& judges,
                                     const Check& standard, const Metrics& metrics);

/// Throws InvalidValue with the first error when every run ended with one: then the scenario cannot be run at all, and
/// nothing is kept.
void require_some_run(std::span<const RunRecord> records, const ManyRunsOptions& options);

}  // namespace aplomb
