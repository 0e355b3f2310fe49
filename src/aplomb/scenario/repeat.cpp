#include "aplomb/scenario/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/scenario/many/run_maker.hpp"
#include "aplomb/scenario/many/run_record.hpp"
#include "aplomb/scenario/many/vary.hpp"
#include "aplomb/scenario/statistics.hpp"

namespace aplomb {
namespace {

std::string column_of(const VaryRange& range) { return "vary." + range.key; }

std::string item_of(std::int64_t run) { return fmt::format("run_{:06}", run); }

std::vector<RunRecord> make_runs(const Scenario& scenario, std::int64_t runs, const ManyRunsOptions& options,
                                 RunMaker& maker) {
  std::vector<RunRecord> records(static_cast<std::size_t>(runs));
  std::vector<std::int64_t> missing;
  for (std::int64_t run = 0; run < runs; ++run) {
    if (std::optional<RunRecord> found = maker.find(item_of(run))) {
      records[static_cast<std::size_t>(run)] = std::move(*found);
    } else {
      missing.push_back(run);
    }
  }
  maker.expect(static_cast<double>(missing.size()));
  for_each_parallel(missing.size(), options.jobs, [&](std::size_t i) {
    const std::int64_t run = missing[i];
    records[static_cast<std::size_t>(run)] = maker.make(item_of(run), values_of_run(scenario, run));
  });
  return records;
}

std::string csv_of(const Scenario& scenario, const std::vector<RunRecord>& records) {
  const std::vector<std::string> metrics = metric_names_of(records);
  std::string csv = "run,seed";
  for (const VaryRange& range : scenario.vary) csv += ',' + csv_field(column_of(range));
  csv += csv_header_of_records(metrics) + '\n';
  for (std::size_t run = 0; run < records.size(); ++run) {
    csv += fmt::format("{}", run);
    for (const Override& change : values_of_run(scenario, static_cast<std::int64_t>(run))) csv += ',' + change.value;
    csv += csv_fields_of_record(records[run], metrics) + '\n';
  }
  return csv;
}

Log table_of(const Scenario& scenario, const std::vector<RunRecord>& records,
             const std::vector<MetricStatistics>& statistics) {
  std::vector<std::string> columns = {"run", "seed", "ok"};
  for (const VaryRange& range : scenario.vary) columns.push_back(column_of(range));
  for (const MetricStatistics& one : statistics) columns.push_back(one.metric);
  Log table(columns);
  table.reserve(records.size());
  std::vector<double> row;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto run = static_cast<std::int64_t>(i);
    row = {static_cast<double>(run), static_cast<double>(seed_of_run(scenario.seed, run)), records[i].ok ? 1.0 : 0.0};
    for (const VaryRange& range : scenario.vary) row.push_back(draw(range, scenario.seed, run));
    for (const MetricStatistics& one : statistics) {
      row.push_back(records[i].metrics.number(one.metric).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    table.append(row);
  }
  return table;
}

void set_metrics(ManyRunsResult& output) {
  const std::vector<RunRecord>& records = output.records;
  const auto num_runs = static_cast<std::int64_t>(records.size());
  const auto num_ok = std::ranges::count_if(records, &RunRecord::ok);
  const auto num_errors = std::ranges::count_if(records, [](const RunRecord& record) { return !record.error.empty(); });
  output.headline.set("runs", num_runs);
  output.headline.set("success_ratio", static_cast<double>(num_ok) / static_cast<double>(num_runs));
  output.headline.set("run_errors", std::int64_t{num_errors});
  output.result.metrics = output.headline;
  for (const MetricStatistics& one : output.statistics) set_statistics(one, output.result.metrics);
}

}  // namespace

std::vector<Override> values_of_run(const Scenario& scenario, std::int64_t run) {
  std::vector<Override> changes = {{"seed", fmt::format("{}", seed_of_run(scenario.seed, run))}};
  for (const VaryRange& range : scenario.vary) {
    const double value = draw(range, scenario.seed, run);
    changes.push_back({range.key, range.is_integer ? fmt::format("{:.0f}", value) : fmt::format("{}", value)});
  }
  return changes;
}

ManyRunsResult repeat_scenario(const Scenario& scenario, std::int64_t runs, const ManyRunsOptions& options) {
  if (runs < 1 || runs > kMostRuns) {
    throw InvalidValue(fmt::format("a scenario can be repeated 1 to {} times, not {}", kMostRuns, runs));
  }
  const auto start = std::chrono::steady_clock::now();
  ManyRunsResult output;
  output.result.verb = "run";
  output.result.scenario = scenario.name;
  output.result.provenance = provenance_of_many(scenario);
  RunMaker maker(scenario, options);
  output.records = make_runs(scenario, runs, options, maker);
  require_some_run(output.records, options);
  output.statistics = statistics_of(output.records);
  set_metrics(output);
  const Check all_succeed{.metric = "success_ratio", .rule = Check::Rule::equals, .bound = 1.0};
  output.result.checks = judge_many(scenario, is_repeat_metric, all_succeed, output.result.metrics);
  output.csv = csv_of(scenario, output.records);
  output.table = table_of(scenario, output.records, output.statistics);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  maker.set_timing(output.result.timing, wall.count());
  return output;
}

}  // namespace aplomb
