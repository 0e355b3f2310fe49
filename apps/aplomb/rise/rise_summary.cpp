#include "rise/rise_summary.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "aplomb/report/check_text.hpp"

namespace aplomb {
namespace {

void add(const Result& step, std::string_view prefix, Result& all) {
  const auto named = [prefix](const std::string& name) { return std::string(prefix) + name; };
  for (const auto& [name, value] : step.metrics.entries()) all.metrics.set(named(name), value);
  for (CheckOutcome outcome : step.checks) {
    outcome.check.metric = named(outcome.check.metric);
    all.checks.push_back(std::move(outcome));
  }
}

std::string number(const Metrics& metrics, const char* name, const char* format) {
  const auto value = metrics.number(name);
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string verdict_of(const Result& result) { return result.any_check_fails() ? "FAIL" : verdict_text(result); }

}  // namespace

Result result_of(const RiseResults& rise, const std::optional<IdentifyOutput>& identified) {
  Result all = rise.run.result;
  all.verb = "rise";
  if (rise.person) add(rise.person->result, "human_", all);
  if (identified) add(identified->result, "identify_", all);
  add(rise.retargeted.result, "retarget_", all);
  return all;
}

PageTable summary_of(const RiseResults& rise, const std::optional<IdentifyOutput>& identified) {
  PageTable table{.title = "The steps", .header = {"step", "quantity", "value", "verdict"}};
  const auto row = [&](const char* step, const char* quantity, std::string value, std::string verdict = {}) {
    table.rows.push_back({step, quantity, std::move(value), std::move(verdict)});
  };
  if (rise.person) {
    const Metrics& person = rise.person->result.metrics;
    row("1 person", "markers, RMS [mm]", millimetres(person, "marker_rms_m"), verdict_of(rise.person->result));
    row("", "CoP against the plates, RMS [mm]", millimetres(person, "cop_x_rms_m"));
    row("", "mass on the plates [kg]", number(person, "mass_from_plates_kg", "{:.1f}"));
    row("", "rises in the recording", number(person, "rises", "{:.0f}"));
  } else {
    row("1 person", "analysed before", rise.scenario.plan.demonstration, "-");
  }
  const Metrics& run = rise.run.result.metrics;
  const RobotModel& believed = *rise.plan->believed;
  if (identified) {
    row("2 robot", "CoM against CoP, held out, RMS [mm]",
        fmt::format("{} (CAD {})", millimetres(identified->result.metrics, "holdout_rms_m"),
                    millimetres(identified->result.metrics, "cad_holdout_rms_m")),
        verdict_of(identified->result));
  }
  row(identified ? "" : "2 robot", "mass of the model [kg]", fmt::format("{:.1f}", believed.mass()),
      identified ? "" : "-");
  const Metrics& plan = rise.retargeted.result.metrics;
  row("3 plan", "chair [m]", number(plan, "chair_height_m", "{:.3f}"), verdict_of(rise.retargeted.result));
  row("", "slowdown", number(plan, "slowdown", "{:.2f}"));
  row("", "CoM shift, max [mm]", millimetres(plan, "com_target_shift_max_m"));
  row("", "torque / limit, max", number(plan, "plan_torque_ratio_max", "{:.2f}"));
  row("4 stand up", "stands and holds for 2 s", run.number("stood_up").value_or(0.0) > 0.0 ? "yes" : "no",
      verdict_of(rise.run.result));
  row("", "seat-off, planned [s]",
      number(run, "seat_off_s", "{:.2f}") + ", " + number(run, "seat_off_planned_s", "{:.2f}"));
  row("", "forward CoM error, RMS [mm]", millimetres(run, "com_x_error_rms_m"));
  row("", "heel margin [mm]", millimetres(run, "heel_margin_min_m"));
  row("", "toe margin [mm]", millimetres(run, "toe_margin_min_m"));
  return table;
}

}  // namespace aplomb
