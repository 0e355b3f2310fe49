#include "aplomb/scenario/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/scenario/many/pendulum_limit.hpp"
#include "aplomb/scenario/many/run_maker.hpp"
#include "aplomb/scenario/many/run_record.hpp"

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

std::string csv_of(const SearchRequest& request, const std::vector<SearchOutcome>& outcomes) {
  std::vector<RunRecord> records;
  for (const SearchOutcome& outcome : outcomes) {
    for (const auto& [index, record] : outcome.tried) records.push_back(record);
  }
  const std::vector<std::string> metrics = metric_names_of(records);
  const bool has_directions = !request.direction_key.empty();
  std::string csv = (has_directions ? csv_field("search." + request.direction_key) + ',' : std::string()) +
                    csv_field("search." + request.key) + csv_header_of_records(metrics) + '\n';
  for (std::size_t direction = 0; direction < outcomes.size(); ++direction) {
    for (const auto& [index, record] : outcomes[direction].tried) {
      if (has_directions) csv += fmt::format("{},", request.directions_deg[direction]);
      csv += fmt::format("{}", request.value(index)) + csv_fields_of_record(record, metrics) + '\n';
    }
  }
  return csv;
}

/// The limits as points of a plane, the first one again at the end so that they close.
Log limits_log(const SearchRequest& request, const std::vector<SearchOutcome>& outcomes) {
  Log log({"direction_deg", "limit", "limit_forward", "limit_left"});
  for (std::size_t i = 0; i <= outcomes.size(); ++i) {
    const std::size_t direction = i % outcomes.size();
    const auto& index = outcomes[direction].limit;
    const double angle = request.directions_deg[direction] * std::numbers::pi / 180.0;
    const double limit = index ? request.value(*index) : std::numeric_limits<double>::quiet_NaN();
    log.append(std::vector{request.directions_deg[direction], limit, limit * std::cos(angle), limit * std::sin(angle)});
  }
  return log;
}

}  // namespace

ManyRunsResult search_limit(const Scenario& scenario, const ManyRunsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ManyRunsResult output;
  output.result.verb = "run";
  output.result.scenario = scenario.name;
  output.result.provenance = provenance_of_many(scenario);
  RunMaker maker(scenario, options);
  output.searches = search_all(*scenario.search, options, maker);
  std::vector<RunRecord> records;
  for (const SearchOutcome& outcome : output.searches) {
    for (const auto& [index, record] : outcome.tried) records.push_back(record);
  }
  require_some_run(records, options);
  set_metrics(scenario, output.searches, output.result.metrics);
  output.headline = output.result.metrics;
  const Check all_found{.metric = "search_failures", .rule = Check::Rule::equals, .bound = std::int64_t{0}};
  output.result.checks = judge_many(scenario, is_search_metric, all_found, output.result.metrics);
  output.csv = csv_of(*scenario.search, output.searches);
  if (!scenario.search->direction_key.empty()) output.table = limits_log(*scenario.search, output.searches);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  maker.set_timing(output.result.timing, wall.count());
  return output;
}

}  // namespace aplomb
