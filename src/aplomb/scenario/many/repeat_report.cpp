#include "aplomb/scenario/many/repeat_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/scenario/many/repeat.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostFailedRuns = 20;    // in the page; the CSV has all
constexpr std::size_t kMostScatterPlots = 24;  // of metrics over varied keys

std::string column_of(const VaryRange& range) { return "vary." + range.key; }

std::string with_unit(const std::string& name, std::string_view unit) {
  return unit.empty() || unit == "-" ? name : fmt::format("{} [{}]", name, unit);
}

std::string unit_of(const std::string& metric) {
  const MetricInfo* info = find_metric(metric);
  return info == nullptr ? std::string() : std::string(info->unit);
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

PageTable statistics_table(const std::vector<MetricStatistics>& statistics, std::size_t num_runs) {
  PageTable table{
      .title = "Metrics over the runs",
      .about = fmt::format("Of {} runs: how many have the metric at all, and its percentiles (linear between "
                           "neighbours), extremes and mean over those.",
                           num_runs),
      .header = {"metric", "unit", "runs", "p10", "p50", "p90", "min", "max", "mean"},
      .rows = {}};
  for (const MetricStatistics& one : statistics) {
    if (one.ascending.empty()) continue;
    std::vector<std::string> row = {one.metric, unit_of(one.metric), fmt::format("{}", one.ascending.size())};
    for (const double share : {0.1, 0.5, 0.9, 0.0, 1.0}) row.push_back(one.is_flag ? "" : to_text(one.p(share)));
    row.push_back(to_text(one.mean));
    table.rows.push_back(std::move(row));
  }
  return table;
}

PageTable failed_runs_table(const Scenario& scenario, const std::vector<RunRecord>& records) {
  PageTable table{.title = "Runs that failed", .about = {}, .header = {"run", "seed"}, .rows = {}};
  for (const VaryRange& range : scenario.vary) table.header.push_back(with_unit(range.key, range.unit));
  table.header.push_back("failed checks, or error");
  std::size_t num_failed = 0;
  for (std::size_t run = 0; run < records.size(); ++run) {
    if (records[run].ok || ++num_failed > kMostFailedRuns) continue;
    std::vector<std::string> row = {fmt::format("{}", run)};
    for (const Override& change : values_of_run(scenario, static_cast<std::int64_t>(run))) row.push_back(change.value);
    row.push_back(failure_text(records[run]));
    table.rows.push_back(std::move(row));
  }
  const std::string shown = num_failed > kMostFailedRuns
                                ? fmt::format(", of which the first {} are shown (runs.csv has all)", kMostFailedRuns)
                                : std::string();
  table.about =
      fmt::format("{} of {} runs{}. The seed and the values of a row, each given with --set, repeat that run alone.",
                  num_failed, records.size(), shown);
  return table;
}

bool differs(const MetricStatistics& one) {
  return !one.ascending.empty() && one.ascending.front() < one.ascending.back();
}

void add_plots(const Scenario& scenario, const std::vector<MetricStatistics>& statistics, ReportPage& page) {
  const auto is_checked = [&](const std::string& metric) {
    return std::ranges::any_of(scenario.checks, [&](const Check& check) { return check.metric == metric; });
  };
  for (const MetricStatistics& one : statistics) {
    if (one.is_flag || !differs(one)) continue;
    page.scatter_plots.push_back({.title = one.metric,
                                  .about = "One point a run; the lines are the 10th, the 50th and the 90th percentile.",
                                  .x_label = with_unit(one.metric, unit_of(one.metric)),
                                  .y_label = {},
                                  .x_column = one.metric,
                                  .y_column = {},
                                  .ok_column = "ok",
                                  .x_marks = {{one.p(0.1), "p10"}, {one.p(0.5), "p50"}, {one.p(0.9), "p90"}}});
  }
  const std::size_t most_plots = page.scatter_plots.size() + kMostScatterPlots;
  for (const MetricStatistics& one : statistics) {
    for (const VaryRange& range : scenario.vary) {
      if (one.is_flag || !differs(one) || !is_checked(one.metric) || page.scatter_plots.size() == most_plots) continue;
      page.scatter_plots.push_back({.title = fmt::format("{} over {}", one.metric, range.key),
                                    .about = "One point a run.",
                                    .x_label = with_unit(range.key, range.unit),
                                    .y_label = with_unit(one.metric, unit_of(one.metric)),
                                    .x_column = column_of(range),
                                    .y_column = one.metric,
                                    .ok_column = "ok"});
    }
  }
}

}  // namespace

void report_repeat(const Scenario& scenario, const std::vector<RunRecord>& records,
                   const std::vector<MetricStatistics>& statistics, ManyRunsOutput& output) {
  output.csv = csv_of(scenario, records);
  output.table = table_of(scenario, records, statistics);
  output.page.title = fmt::format("{}, {} runs", scenario.name, records.size());
  output.page.about = scenario.about;
  output.page.scenario_text = scenario.text;
  output.page.notes = scenario.notes;
  output.page.tables.push_back(statistics_table(statistics, records.size()));
  if (!std::ranges::all_of(records, &RunRecord::ok)) {
    output.page.tables.push_back(failed_runs_table(scenario, records));
  }
  add_plots(scenario, statistics, output.page);
}

}  // namespace aplomb
