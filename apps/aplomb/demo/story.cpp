#include "demo/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "aplomb/demonstrator/person.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/report/check_text.hpp"

namespace aplomb {
namespace {

constexpr std::array kStyles = {"natural", "elderly"};

/// Number of checks that do not hold in the results of a rise's own steps: person, plan, run.
std::int64_t failed_checks(const RiseResults& rise) {
  std::int64_t count = 0;
  for (const Result* step : {&rise.person->result, &rise.retargeted.result, &rise.run.result}) {
    count += std::ranges::count_if(step->checks, [](const CheckOutcome& outcome) { return !outcome.ok; });
  }
  return count;
}

void require(Result& result, const std::string& metric, Check::Rule rule, MetricValue bound) {
  result.checks.push_back(judge({.metric = metric, .rule = rule, .bound = std::move(bound)}, result.metrics));
}

/// Checks with the paper's results as bounds, or our own bounds where it reports none.
void require_rise(Result& result, const std::string& style) {
  constexpr double kMassError = 0.3;  // [kg]
  require(result, style + "_mass_from_plates_kg", Check::Rule::above, Person{}.mass_kg - kMassError);
  require(result, style + "_mass_from_plates_kg", Check::Rule::below, Person{}.mass_kg + kMassError);
  require(result, style + "_cop_x_rms_m", Check::Rule::below, 0.02);
  require(result, style + "_com_target_shift_max_m", Check::Rule::below, 0.005);
  require(result, style + "_infeasible_frames", Check::Rule::equals, std::int64_t{0});
  require(result, style + "_zmp_margin_planned_min_m", Check::Rule::above, 0.025);
  require(result, style + "_stood_up", Check::Rule::equals, true);
  require(result, style + "_com_x_error_rms_m", Check::Rule::below, 0.005);
  require(result, style + "_com_x_error_max_m", Check::Rule::below, 0.01);
  require(result, style + "_cop_zmp_rms_m", Check::Rule::below, 0.02);
  require(result, style + "_seat_off_late_s", Check::Rule::below, 0.1);
  require(result, style + "_seat_off_late_s", Check::Rule::above, -0.1);
  require(result, style + "_heel_margin_min_m", Check::Rule::above, 0.025);
  require(result, style + "_toe_margin_min_m", Check::Rule::above, 0.025);
  require(result, style + "_hold_drift_m", Check::Rule::below, 0.006);
  require(result, style + "_failed_checks", Check::Rule::equals, std::int64_t{0});
}

}  // namespace

DemoStory make_demo_story(const RisePlanner::StepReport& on_step) {
  DemoStory story;
  RisePlanner planner;  // both styles share the robot and its identified masses
  planner.use_cache(PlanCache::of_user());
  for (const std::string style : kStyles) {
    planner.report_steps(
        [&](std::string_view step, double done) { on_step(fmt::format("{}, {}", style, step), done); });
    const Scenario scenario = load_scenario("sit_to_stand_" + style);
    story.rises.push_back(run_rise(style, scenario, planner, [&](double time_s) {
      on_step(style + ", simulation", time_s / scenario.duration_s);
    }));
  }
  story.identified = describe_identified(story.rises.front());
  return story;
}

Result result_of(const DemoStory& story) {
  Result result;
  result.verb = "demo";
  result.scenario = "demo";
  result.provenance = story.rises.front().run.result.provenance;
  for (const char* metric : {"holdout_rms_m", "cad_holdout_rms_m", "com_path_error_rms_m", "rank"}) {
    if (const MetricValue* value = story.identified.result.metrics.find(metric)) result.metrics.set(metric, *value);
  }
  constexpr std::array kOfPerson = {"cop_x_rms_m", "mass_from_plates_kg"};
  constexpr std::array kOfPlan = {"com_target_shift_max_m", "infeasible_frames", "zmp_margin_planned_min_m",
                                  "com_dip_m"};
  constexpr std::array kOfRun = {"stood_up",         "seat_off_s",        "seat_off_planned_s", "heel_margin_min_m",
                                 "toe_margin_min_m", "com_x_error_rms_m", "com_x_error_max_m",  "cop_zmp_rms_m",
                                 "hold_drift_m",     "torque_peak_ratio"};
  for (const RiseResults& rise : story.rises) {
    const auto copy = [&](const Metrics& from, const auto& names) {
      for (const char* name : names) {
        if (const MetricValue* value = from.find(name)) result.metrics.set(rise.name + "_" + name, *value);
      }
    };
    copy(rise.person->result.metrics, kOfPerson);
    copy(rise.retargeted.result.metrics, kOfPlan);
    copy(rise.run.result.metrics, kOfRun);
    result.metrics.set(rise.name + "_failed_checks", failed_checks(rise));
    const Metrics& run = rise.run.result.metrics;
    const auto off = run.number("seat_off_s"), planned = run.number("seat_off_planned_s");
    result.metrics.set(rise.name + "_seat_off_late_s", off && planned ? MetricValue(*off - *planned) : MetricValue{});
  }
  require(result, "holdout_rms_m", Check::Rule::below, 0.0196);
  for (const RiseResults& rise : story.rises) require_rise(result, rise.name);
  return result;
}

PageTable summary_of(const DemoStory& story, const Result& result) {
  const Metrics& metrics = result.metrics;
  PageTable table{
      .title = "The five steps",
      .about =
          "Natural, then elderly. Simulation: a synthetic person, and a robot whose base, joints and contact forces "
          "are sensed ideally. The paper's figures (Mistry et al. 2010) were measured on a person and on hardware: "
          "the two columns cannot be compared.",
      .header = {"step", "quantity", "simulation", "paper (hardware)", "verdict"}};
  const auto mm = [&](const std::string& name) { return millimetres(metrics, name); };
  const auto both = [&](const std::string& name) { return mm("natural_" + name) + " / " + mm("elderly_" + name); };
  const auto holds = [&](const std::vector<std::string>& names) {
    Result row;
    std::ranges::copy_if(result.checks, std::back_inserter(row.checks), [&](const CheckOutcome& outcome) {
      return std::ranges::any_of(names, [&](const auto& name) { return outcome.check.metric.ends_with(name); });
    });
    return row.any_check_fails() ? std::string("FAIL") : verdict_text(row);
  };
  const auto stands = [&](const char* style) {
    return metrics.number(fmt::format("{}_stood_up", style)).value_or(0.0) > 0.0 ? "yes" : "no";
  };
  const auto late = [&](const std::string& style) {
    const auto value = metrics.number(style + "_seat_off_late_s");
    return value ? fmt::format("{:+.0f}", 1e3 * *value) : std::string("-");
  };
  const auto mass = [&](const char* style) {
    const auto value = metrics.number(fmt::format("{}_mass_from_plates_kg", style));
    return value ? fmt::format("{:.1f}", *value) : std::string("-");
  };
  const std::size_t markers = story.rises.front().plan->retargeted->overlay.markers.size();
  table.rows = {
      {"1 demonstrate", "mass on the plates [kg]",
       fmt::format("{} / {}, {} markers", mass("natural"), mass("elderly"), markers), "not reported",
       holds({"mass_from_plates_kg"})},
      {"2 human", "CoP against the plates, RMS [mm]", both("cop_x_rms_m"), "within 20", holds({"cop_x_rms_m"})},
      {"3 identify", "CoM against CoP, held out, RMS [mm]",
       fmt::format("{} (CAD {})", mm("holdout_rms_m"), mm("cad_holdout_rms_m")), "19.6", holds({"holdout_rms_m"})},
      {"4 retarget", "CoM off the person's path, at worst [mm]", both("com_target_shift_max_m"), "solver tolerance",
       holds({"com_target_shift_max_m", "infeasible_frames"})},
      {"", "ZMP margin [mm]", both("zmp_margin_planned_min_m"), "left to future work",
       holds({"zmp_margin_planned_min_m"})},
      {"5 stand up", "stands and holds for 2 s", fmt::format("{} / {}", stands("natural"), stands("elderly")),
       "yes / yes", holds({"stood_up", "hold_drift_m", "failed_checks"})},
      {"", "forward CoM error, RMS [mm]", both("com_x_error_rms_m"), "not reported",
       holds({"com_x_error_rms_m", "com_x_error_max_m"})},
      {"", "CoP against the planned ZMP, RMS [mm]", both("cop_zmp_rms_m"), "not reported", holds({"cop_zmp_rms_m"})},
      {"", "seat-off against the plan [ms]", fmt::format("{} / {}", late("natural"), late("elderly")), "not reported",
       holds({"seat_off_late_s"})},
      {"", "heel margin [mm]", both("heel_margin_min_m"), "not reported", holds({"heel_margin_min_m"})},
      {"", "toe margin [mm]", both("toe_margin_min_m"), "not reported", holds({"toe_margin_min_m"})},
  };
  return table;
}

}  // namespace aplomb
