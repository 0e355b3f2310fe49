#include "aplomb/scenario/many/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/scenario/many/pendulum_limit.hpp"
#include "aplomb/scenario/many/search_report.hpp"

namespace aplomb {
namespace {

/// Looks for the limit in one direction.
class DirectionSearch {
 public:
  DirectionSearch(const SearchRequest& request, std::size_t direction, RunMaker& maker)
      : request_(request), direction_(direction), maker_(maker) {}

  SearchOutcome find() {
    if (!passes(0)) return std::move(outcome_);
    outcome_.limit = 0;
    if (request_.last_index > 0 && passes(request_.last_index)) outcome_.limit = request_.last_index;
    while (outcome_.smallest_failure && *outcome_.smallest_failure - *outcome_.limit > 1) {
      const std::int64_t middle = *outcome_.limit + (*outcome_.smallest_failure - *outcome_.limit) / 2;
      if (passes(middle)) outcome_.limit = middle;
    }
    return std::move(outcome_);
  }

  /// The most runs that `find` makes: both ends, and a halving each.
  static double most_runs(const SearchRequest& request) {
    return 2.0 + static_cast<double>(std::bit_width(static_cast<std::uint64_t>(request.last_index)));
  }

 private:
  bool passes(std::int64_t index) {
    const std::string item = fmt::format("direction_{:03}_value_{:07}", direction_, index);
    std::optional<RunRecord> record = maker_.find(item);
    if (record) {
      maker_.skip(1.0);
    } else {
      record = maker_.make(item, changes(index));
    }
    const bool ok = record->ok;
    outcome_.tried.emplace(index, std::move(*record));
    if (!ok) outcome_.smallest_failure = index;
    return ok;
  }

  std::vector<Override> changes(std::int64_t index) const {
    std::vector<Override> made = {{request_.key, fmt::format("{}", request_.value(index))}};
    if (!request_.direction_key.empty()) {
      made.push_back({request_.direction_key, fmt::format("{}", request_.directions_deg[direction_])});
    }
    return made;
  }

  const SearchRequest& request_;
  std::size_t direction_;
  RunMaker& maker_;
  SearchOutcome outcome_;
};

std::vector<SearchOutcome> search_all(const SearchRequest& request, const ManyRunsOptions& options, RunMaker& maker) {
  std::vector<SearchOutcome> outcomes(request.num_searches());
  const double most_runs = DirectionSearch::most_runs(request);
  maker.expect(most_runs * static_cast<double>(outcomes.size()));
  for_each_parallel(outcomes.size(), options.jobs, [&](std::size_t direction) {
    outcomes[direction] = DirectionSearch(request, direction, maker).find();
    maker.skip(most_runs - static_cast<double>(outcomes[direction].tried.size()));
  });
  return outcomes;
}

void set_metrics(const Scenario& scenario, const std::vector<SearchOutcome>& outcomes, Metrics& metrics) {
  const SearchRequest& request = *scenario.search;
  std::vector<double> limits;
  std::int64_t failures = 0, unbracketed = 0, runs = 0, errors = 0;
  for (const SearchOutcome& outcome : outcomes) {
    limits.push_back(outcome.limit ? request.value(*outcome.limit) : std::numeric_limits<double>::quiet_NaN());
    if (!outcome.limit) ++failures;
    if (!outcome.smallest_failure) ++unbracketed;
    runs += static_cast<std::int64_t>(outcome.tried.size());
    for (const auto& [index, record] : outcome.tried) errors += record.error.empty() ? 0 : 1;
  }
  const MetricValue smallest = failures > 0 ? MetricValue{} : MetricValue(*std::ranges::min_element(limits));
  metrics.set(request.is_push() ? "push_limit_n" : "search_limit", limits);
  metrics.set(request.is_push() ? "push_limit_min_n" : "search_limit_min", smallest);
  if (request.is_push() && !request.direction_key.empty()) metrics.set("pendulum_limit_n", pendulum_limits(scenario));
  metrics.set("search_failures", failures);
  metrics.set("search_unbracketed", unbracketed);
  metrics.set("search_runs", runs);
  metrics.set("run_errors", errors);
}

}  // namespace

ManyRunsOutput search_limit(const Scenario& scenario, const ManyRunsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ManyRunsOutput output;
  output.result.verb = "run";
  output.result.scenario = scenario.name;
  output.result.provenance = provenance_of_many(scenario);
  RunMaker maker(scenario, options);
  const std::vector<SearchOutcome> outcomes = search_all(*scenario.search, options, maker);
  std::vector<RunRecord> records;
  for (const SearchOutcome& outcome : outcomes) {
    for (const auto& [index, record] : outcome.tried) records.push_back(record);
  }
  require_some_run(records, options);
  set_metrics(scenario, outcomes, output.result.metrics);
  output.headline = output.result.metrics;
  const Check all_found{.metric = "search_failures", .rule = Check::Rule::equals, .bound = std::int64_t{0}};
  output.result.checks = judge_many(scenario, is_search_metric, all_found, output.result.metrics);
  report_search(scenario, outcomes, output);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  maker.set_timing(output.result.timing, wall.count());
  return output;
}

}  // namespace aplomb
