#include "aplomb/scenario/many/search_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/table/csv.hpp"

namespace aplomb {
namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "-" ? name : fmt::format("{} [{}]", name, unit);
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

/// What is to be said of a direction beside its limit.
std::string remark_on(const SearchRequest& request, const SearchOutcome& outcome) {
  if (!outcome.limit) return fmt::format("not even {} passes: {}", request.value(0), failure_text(outcome.tried.at(0)));
  if (!outcome.smallest_failure) return "the largest value passes: the limit may be higher";
  return failure_text(outcome.tried.at(*outcome.smallest_failure));
}

PageTable limits_table(const SearchRequest& request, const std::vector<SearchOutcome>& outcomes) {
  const bool has_directions = !request.direction_key.empty();
  PageTable table{.title = "Limits",
                  .about = fmt::format(
                      "The largest {} with which every check holds, found by bisection in steps of {}: what "
                      "fails at one value is assumed to fail at all larger ones.",
                      request.key, fmt::format("{}{}{}", request.step, request.unit.empty() ? "" : " ", request.unit)),
                  .header = {with_unit("limit", request.unit), with_unit("fails at", request.unit), "why"},
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

void report_search(const Scenario& scenario, const std::vector<SearchOutcome>& outcomes, ManyRunsOutput& output) {
  const SearchRequest& request = *scenario.search;
  output.csv = csv_of(request, outcomes);
  output.page.title = scenario.name;
  output.page.about = scenario.about;
  output.page.scenario_text = scenario.text;
  output.page.notes = scenario.notes;
  for (std::string& note : notes_on_unjudged(scenario, is_search_metric)) output.page.notes.push_back(std::move(note));
  output.page.tables.push_back(limits_table(request, outcomes));
  if (request.direction_key.empty()) return;
  output.table = limits_log(request, outcomes);
  std::vector<PlanePlot::Point> points = {{0.0, 0.0, "0"}};
  std::string about = "How far each point is from the cross is the limit in that direction.";
  if (const MetricValue* pendulum = output.result.metrics.find("pendulum_limit_n")) {
    about += " P marks what a robot without angular momentum could take (m \u03c9 d, a linear pendulum).";
    const auto& limits = std::get<std::vector<double>>(*pendulum);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const double angle = request.directions_deg[i] * std::numbers::pi / 180.0;
      if (std::isfinite(limits[i])) points.push_back({limits[i] * std::cos(angle), limits[i] * std::sin(angle), "P"});
    }
  }
  output.page.plane_plots.push_back({.title = "Limits by direction",
                                     .about = about,
                                     .x_label = with_unit("forward", request.unit),
                                     .y_label = with_unit("to the left", request.unit),
                                     .x_column = "limit_forward",
                                     .y_column = "limit_left",
                                     .rectangles = {},
                                     .points = points,
                                     .has_separate_samples = true});
}

}  // namespace aplomb
