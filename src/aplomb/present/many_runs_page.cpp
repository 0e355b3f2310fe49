#include "aplomb/present/many_runs_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/scenario/repeat.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostFailedRuns = 20;    // listed in the page; the CSV has all
constexpr std::size_t kMostScatterPlots = 24;  // plots of metrics over varied keys

std::string column_of(const VaryRange& range) { return "vary." + range.key; }

std::string with_unit(const std::string& name, std::string_view unit) {
  return unit.empty() || unit == "-" ? name : fmt::format("{} [{}]", name, unit);
}

std::string unit_of(const std::string& metric) {
  const MetricInfo* info = find_metric(metric);
  return info == nullptr ? std::string() : std::string(info->unit);
}

PageTable statistics_table(const std::vector<MetricStatistics>& statistics, std::size_t num_runs) {
  PageTable table{
      .title = "Metrics over the runs",
      .about = fmt::format("Over {} runs: number of runs that have the metric, and its percentiles (linearly "
                           "interpolated), extremes and mean over these.",
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
  PageTable table{.title = "Failed runs", .about = {}, .header = {"run", "seed"}, .rows = {}};
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
  table.about = fmt::format("{} of {} runs{}. To repeat a run alone, give its seed and values with --set.", num_failed,
                            records.size(), shown);
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
                                  .about = "One point for each run; the lines are the 10th, 50th and 90th percentile.",
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
                                    .about = "One point for each run.",
                                    .x_label = with_unit(range.key, range.unit),
                                    .y_label = with_unit(one.metric, unit_of(one.metric)),
                                    .x_column = column_of(range),
                                    .y_column = one.metric,
                                    .ok_column = "ok"});
    }
  }
}

/// Remark on a direction beside its limit.
std::string remark_on(const SearchRequest& request, const SearchOutcome& outcome) {
  if (!outcome.limit) return fmt::format("not even {} passes: {}", request.value(0), failure_text(outcome.tried.at(0)));
  if (!outcome.smallest_failure) return "the largest value passes: the limit may be higher";
  return failure_text(outcome.tried.at(*outcome.smallest_failure));
}

PageTable limits_table(const SearchRequest& request, const std::vector<SearchOutcome>& outcomes) {
  const bool has_directions = !request.direction_key.empty();
  PageTable table{.title = "Limits",
                  .about = fmt::format(
                      "The largest {} with which every check holds, found by bisection in steps of {}, assuming "
                      "that a run that fails at one value fails at all larger ones.",
                      request.key, fmt::format("{}{}{}", request.step, request.unit.empty() ? "" : " ", request.unit)),
                  .header = {with_unit("limit", request.unit), with_unit("fails at", request.unit), "reason"},
                  .rows = {}};
  if (has_directions) table.header.insert(table.header.begin(), "direction [deg]");
  for (std::size_t direction = 0; direction < outcomes.size(); ++direction) {
    const SearchOutcome& outcome = outcomes[direction];
    const auto value_text = [&](const std::optional<std::int64_t>& index) {
      return index ? fmt::format("{}", request.value(*index)) : std::string("-");
    };
    std::vector<std::string> row = {value_text(outcome.limit), value_text(outcome.smallest_failure),
                                    remark_on(request, outcome)};
    if (has_directions) row.insert(row.begin(), fmt::format("{}", request.directions_deg[direction]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportPage head_of(const Scenario& scenario, std::string title) {
  return {.title = std::move(title), .about = scenario.about, .scenario_text = scenario.text, .notes = scenario.notes};
}

}  // namespace

ReportPage repeat_page(const Scenario& scenario, const ManyRunsResult& many) {
  ReportPage page = head_of(scenario, fmt::format("{}, {} runs", scenario.name, many.records.size()));
  page.tables.push_back(statistics_table(many.statistics, many.records.size()));
  if (!std::ranges::all_of(many.records, &RunRecord::ok)) {
    page.tables.push_back(failed_runs_table(scenario, many.records));
  }
  add_plots(scenario, many.statistics, page);
  return page;
}

ReportPage search_page(const Scenario& scenario, const ManyRunsResult& many) {
  const SearchRequest& request = *scenario.search;
  ReportPage page = head_of(scenario, scenario.name);
  for (std::string& note : notes_on_unjudged(scenario, is_search_metric)) page.notes.push_back(std::move(note));
  page.tables.push_back(limits_table(request, many.searches));
  if (request.direction_key.empty()) return page;
  std::vector<PlanePlot::Point> points = {{0.0, 0.0, "0"}};
  std::string about = "The distance of a point from the cross is the limit in its direction.";
  if (const MetricValue* pendulum = many.result.metrics.find("pendulum_limit_n")) {
    about += " P marks the limit of a linear inverted pendulum, without angular momentum (m \u03c9 d).";
    const auto& limits = std::get<std::vector<double>>(*pendulum);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const double angle = request.directions_deg[i] * std::numbers::pi / 180.0;
      if (std::isfinite(limits[i])) points.push_back({limits[i] * std::cos(angle), limits[i] * std::sin(angle), "P"});
    }
  }
  page.plane_plots.push_back({.title = "Limits by direction",
                              .about = about,
                              .x_label = with_unit("forward", request.unit),
                              .y_label = with_unit("to the left", request.unit),
                              .x_column = "limit_forward",
                              .y_column = "limit_left",
                              .rectangles = {},
                              .points = points,
                              .has_separate_samples = true});
  return page;
}

}  // namespace aplomb
