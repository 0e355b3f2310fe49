#include "aplomb/scenario/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kRecovered = 0.005;  // [m]
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Refuses unknown controllers, all of them at once, before any run.
void require_known(const std::vector<std::string>& controllers) {
  const std::vector<std::string> known = controller_kinds();
  std::vector<std::string> unknown;
  std::ranges::copy_if(controllers, std::back_inserter(unknown),
                       [&](const std::string& kind) { return std::ranges::find(known, kind) == known.end(); });
  if (unknown.size() < 2) {
    for (const std::string& kind : controllers) find_controller_kind(kind);
    return;
  }
  throw InvalidValue(
      fmt::format("no controllers named '{}'; valid: {}", fmt::join(unknown, "', '"), fmt::join(known, ", ")));
}

}  // namespace

Comparison compare_controllers(std::string_view scenario, const std::vector<std::string>& controllers,
                               std::vector<Override> overrides,
                               const std::function<void(std::size_t, double)>& on_progress, RisePlanner* planner) {
  require_known(controllers);
  Comparison comparison;
  RisePlanner own;
  overrides.push_back({.key = "controller.kind"});
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    overrides.back().value = controllers[i];
    const Scenario asked = load_scenario(scenario, overrides);
    comparison.scenario = asked.name;
    comparison.robot = asked.robot;
    comparison.about = asked.about;
    comparison.text = asked.text;
    comparison.first_push_s = asked.pushes.empty() ? 0.0 : asked.duration_s;
    for (const PushRequest& push : asked.pushes) {
      comparison.first_push_s = std::min(comparison.first_push_s, push.start_s);
    }
    ComparedRun& run = comparison.runs.emplace_back();
    run.controller = controllers[i];
    try {
      run.output = run_scenario(
          asked,
          [&](double time_s) {
            if (on_progress) on_progress(i, time_s / asked.duration_s);
          },
          planner == nullptr ? &own : planner);
    } catch (const Error& error) {
      run.error = error.what();
    }
  }
  return comparison;
}

double recovery_time(const ComparedRun& run, double first_push_s) {
  const Log& log = run.output.log;
  const std::optional<double> fell = run.output.result.metrics.number("fell");
  if (log.num_rows() == 0 || (fell && *fell > 0.5)) return kNan;
  double last = first_push_s;
  const auto at = [&](std::size_t row, const char* name) { return log.at(row, log.index(name)); };
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    const double error = std::hypot(at(row, "com_x_m") - at(row, "com_reference_x_m"),
                                    at(row, "com_y_m") - at(row, "com_reference_y_m"));
    if (error > kRecovered) last = std::max(last, at(row, "time_s"));
  }
  const double end = at(log.num_rows() - 1, "time_s");
  return last >= end ? kNan : last - first_push_s;
}

}  // namespace aplomb
