#include "aplomb/present/comparison_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Column {
  const char* name;
  const char* label;
  const char* title;
  const char* y_label;
};
constexpr Column kOverlaid[] = {
    {"com_x_m", "CoM forward", "Centre of mass, forward", "CoM x [m]"},
    {"com_y_m", "CoM to the left", "Centre of mass, to the left", "CoM y [m]"},
    {"com_z_m", "CoM up", "Centre of mass, up", "CoM z [m]"},
    {"left_foot_force_z_n", "left foot", "Normal force of the left foot", "force [N]"},
    {"right_foot_force_z_n", "right foot", "Normal force of the right foot", "force [N]"},
    {"trunk_tilt_rad", "tilt", "Trunk tilt", "tilt [rad]"},
};

std::string number(const Metrics& metrics, std::string_view name, double scale, const char* format) {
  const std::optional<double> value = metrics.number(name);
  return value ? fmt::format(fmt::runtime(format), scale * *value) : "-";
}

std::string column_of(const ComparedRun& run, const Column& column) {
  return fmt::format("{}_{}", run.controller, column.name);
}

/// What went wrong in a run by our own doing: "solver_failures 3"; empty in a good run.
std::string trouble_of(const Metrics& metrics) {
  std::string text;
  for (const char* name : {"sim_warnings", "solver_failures", "nonfinite_values"}) {
    const double number = metrics.number(name).value_or(0.0);
    if (number > 0.0) text += fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ", name, number);
  }
  return text;
}

/// Log with the plotted columns of all runs side by side; NaN after the end of a shorter run.
Log overlaid_log(const Comparison& comparison) {
  std::vector<std::string> names = {"time_s"};
  const Log* longest = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.error.empty()) continue;
    for (const Column& column : kOverlaid) names.push_back(column_of(run, column));
    if (longest == nullptr || run.output.log.num_rows() > longest->num_rows()) longest = &run.output.log;
  }
  Log log(names);
  if (longest == nullptr) return log;
  log.reserve(longest->num_rows());
  std::vector<double> row;
  for (std::size_t i = 0; i < longest->num_rows(); ++i) {
    row.assign(1, longest->at(i, longest->index("time_s")));
    for (const ComparedRun& run : comparison.runs) {
      if (!run.error.empty()) continue;
      for (const Column& column : kOverlaid) {
        const Log& its = run.output.log;
        row.push_back(i < its.num_rows() ? its.at(i, its.index(column.name)) : kNan);
      }
    }
    log.append(row);
  }
  return log;
}

}  // namespace

std::vector<std::string> comparison_header() {
  return {"controller",        "fell",           "CoM peak [mm]",     "recovery [s]", "peak torque / limit",
          "torque jump [N m]", "force jump [N]", "median cycle [µs]", "note"};
}

std::vector<std::vector<std::string>> comparison_rows(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.error.empty()) {
      rows.push_back({run.controller, "-", "-", "-", "-", "-", "-", "-", run.error});
      continue;
    }
    const Metrics& metrics = run.output.result.metrics;
    const double recovery = recovery_time(run, comparison.first_push_s);
    const std::optional<double> fell_at = metrics.number("fell_at_s");
    rows.push_back({run.controller, fell_at ? fmt::format("at {:.2f} s", *fell_at) : "no",
                    number(metrics, "com_error_max_m", 1e3, "{:.1f}"),
                    std::isnan(recovery) ? "-" : fmt::format("{:.2f}", recovery),
                    number(metrics, "torque_peak_ratio", 1.0, "{:.2f}"),
                    number(metrics, "torque_jump_max_nm", 1.0, "{:.2f}"),
                    number(metrics, "contact_force_jump_max_n", 1.0, "{:.1f}"),
                    number(run.output.result.timing, "control_cycle_us_p50", 1.0, "{:.0f}"), trouble_of(metrics)});
  }
  return rows;
}

ComparisonReport comparison_report(const Comparison& comparison) {
  ComparisonReport output;
  output.result.verb = "compare";
  output.result.scenario = comparison.scenario;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.error.empty()) continue;
    for (const auto& [name, value] : run.output.result.metrics.entries()) {
      output.result.metrics.set(run.controller + "." + name, value);
    }
    const double recovery = recovery_time(run, comparison.first_push_s);
    output.result.metrics.set(run.controller + ".recovery_s",
                              std::isnan(recovery) ? MetricValue{} : MetricValue(recovery));
    for (const auto& [name, value] : run.output.result.timing.entries()) {
      output.result.timing.set(run.controller + "." + name, value);
    }
    output.result.provenance = run.output.result.provenance;
    output.page.about = comparison.about;
    output.page.scenario_text = comparison.text;
  }
  output.page.title = fmt::format("{}: controllers compared on {}", comparison.scenario, comparison.robot);
  std::vector<std::string> header = comparison_header();
  std::vector<std::vector<std::string>> rows = comparison_rows(comparison);
  // Omit the computing time, which differs each time: reports must be reproducible.
  header.erase(header.end() - 2);
  for (auto& row : rows) row.erase(row.end() - 2);
  output.page.tables.push_back({.title = "Comparison",
                                .about = "The same robot, world, reference and push. Recovery: time from the first "
                                         "push until the horizontal CoM stays within 5 mm of its reference.",
                                .header = header,
                                .rows = rows});
  output.log = overlaid_log(comparison);
  for (const Column& column : kOverlaid) {
    LinePlot plot{.title = column.title, .about = "Until a fall.", .y_label = column.y_label};
    for (const ComparedRun& run : comparison.runs) {
      if (run.error.empty()) plot.series.push_back({column_of(run, column), run.controller});
    }
    if (!plot.series.empty()) output.page.line_plots.push_back(std::move(plot));
  }
  return output;
}

}  // namespace aplomb
