#include "report/sample_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace aplomb::test {
namespace {

constexpr int kNumJoints = 12;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> sample_columns() {
  std::vector<std::string> columns = {
      "time_s",        "com_x_m",      "com_x_reference_m", "com_y_m",       "com_y_reference_m", "left_force_n",
      "right_force_n", "left_cop_x_m", "left_cop_y_m",      "right_cop_x_m", "right_cop_y_m"};
  for (int joint = 0; joint < kNumJoints; ++joint) columns.push_back(fmt::format("torque_ratio_{}", joint));
  return columns;
}

/// 0 before the push at 1 s, then a sway that dies away.
double sway(double time, double frequency_hz, double decay_s) {
  const double since = time - 1.0;
  if (since < 0.0) return 0.0;
  return std::exp(-since / decay_s) * std::sin(2.0 * std::numbers::pi * frequency_hz * since);
}

Log sample_log() {
  Log log(sample_columns());
  log.reserve(6000);
  std::mt19937 random(1);
  std::normal_distribution<double> noise;
  for (int tick = 0; tick < 6000; ++tick) {
    const double time = 0.001 * tick;
    const double forward = 0.011 * sway(time, 0.8, 0.9), sideways = 0.004 * sway(time, 1.1, 0.7);
    const bool is_left_lifted = time > 3.0 && time < 3.3;  // a lifted foot has no CoP
    std::vector<double> row = {time, 0.03 + forward, 0.03, sideways, 0.0};
    row.push_back(is_left_lifted ? 0.0 : 294.0 - 9000.0 * sideways + 0.8 * noise(random));
    row.push_back(is_left_lifted ? 588.6 : 294.6 + 9000.0 * sideways + 0.8 * noise(random));
    for (int foot = 0; foot < 2; ++foot) {
      const bool is_lifted = foot == 0 && is_left_lifted;
      row.push_back(is_lifted ? kMissing : 0.03 + 5.5 * forward + 4e-4 * noise(random));
      row.push_back(is_lifted ? kMissing : 4.0 * sideways + 3e-4 * noise(random));
    }
    for (int joint = 0; joint < kNumJoints; ++joint) {
      row.push_back(0.5 * std::sin(1.3 * joint) + 22.0 * std::cos(joint) * forward + 0.004 * noise(random));
    }
    log.append(row);
  }
  return log;
}

ReportPage sample_page() {
  ReportPage page;
  page.title = "balance_push_forward";
  page.about = "A push of 12 N s at the centre of mass, both feet on the floor.";
  page.scenario_text =
      "scenario: balance_push_forward\nrobot: balancer\nstart: {posture: half_sitting}\nworld: {floor: {friction: "
      "0.8}}\n"
      "controller: {kind: momentum_balance}\nevents:\n  - push: {link: trunk, at: com, force_n: [120, 0, 0], start_s: "
      "1.0, "
      "duration_s: 0.1}\nduration_s: 6\nseed: 1\nchecks:\n  - {metric: fell, equals: false}\n";
  page.notes = {"The robot's YAML names no head: the fall is judged by the pelvis and the trunk."};
  page.line_plots = {
      {.title = "Centre of mass, forward",
       .about = "Measured in the simulator, in the world frame.",
       .y_label = "forward CoM [m]",
       .series = {{"com_x_m", "measured"}, {"com_x_reference_m", "reference", true}},
       .limits = {}},
      {.title = "Centre of mass, sideways",
       .about = "",
       .y_label = "sideways CoM [m]",
       .series = {{"com_y_m", "measured"}, {"com_y_reference_m", "reference", true}},
       .limits = {}},
      {.title = "Normal force of each foot",
       .about = "The left foot is lifted for 0.3 s.",
       .y_label = "force [N]",
       .series = {{"left_force_n", "left"}, {"right_force_n", "right"}},
       .limits = {0.0}},
  };
  LinePlot torques{.title = "Joint torques over their limits",
                   .about = "At 1 or -1 the actuator gives all it has.",
                   .y_label = "torque / limit",
                   .series = {},
                   .limits = {1.0, -1.0}};
  for (int joint = 0; joint < kNumJoints; ++joint) {
    torques.series.push_back({fmt::format("torque_ratio_{}", joint), fmt::format("joint_{}", joint)});
  }
  page.line_plots.push_back(torques);
  for (const std::string foot : {"left", "right"}) {
    page.plane_plots.push_back({.title = "Centre of pressure, " + foot + " foot",
                                .about = "In the foot's frame, over the sole.",
                                .x_label = "forward [m]",
                                .y_label = "sideways [m]",
                                .x_column = foot + "_cop_x_m",
                                .y_column = foot + "_cop_y_m",
                                .rectangles = {{-0.09, 0.14, -0.05, 0.05, "sole"}}});
  }
  return page;
}

Result sample_result() {
  Result result;
  result.verb = "run";
  result.scenario = "balance_push_forward";
  result.metrics.set("fell", false);
  result.metrics.set("fell_at_s", MetricValue{});
  result.metrics.set("duration_s", 6.0);
  result.metrics.set("sim_warnings", std::int64_t{0});
  result.metrics.set("com_error_rms_m", 0.00213);
  result.metrics.set("com_error_max_m", 0.00871);
  result.metrics.set("com_error_end_m", 1.1e-5);
  result.metrics.set("cop_margin_min_m", 0.0312);
  result.metrics.set("torque_peak_ratio", 0.7321);
  result.metrics.set("torque_jump_max_nm", 3.25);
  result.metrics.set("zmp_margin_min_m", MetricValue{});
  result.metrics.set("push_limit_n", std::vector{182.5, 96.0, 143.0, 97.0});
  result.metrics.set("law", std::string("admittance"));
  for (const Check& check : {Check{"fell", Check::Rule::equals, false},
                             Check{"com_error_max_m", Check::Rule::below, 0.012, "the paper's Fig. 8"},
                             Check{"cop_margin_min_m", Check::Rule::above, 0.01},
                             Check{"sim_warnings", Check::Rule::equals, std::int64_t{0}}}) {
    result.checks.push_back(judge(check, result.metrics));
  }
  result.timing.set("wall_s", 0.41);
  result.timing.set("control_cycle_us_p50", 38.2);
  result.provenance = {.version = "0.1.0",
                       .commit = "deb01a7",
                       .robot_sha256 = std::string(64, 'a'),
                       .scenario_sha256 = std::string(64, 'b'),
                       .seed = 1};
  return result;
}

}  // namespace

Sample sample_run() { return {sample_result(), sample_log(), sample_page()}; }

Sample failed_sample_run() {
  Sample sample = sample_run();
  const std::string hostile =
      "</script><script>window.broken = true</script><img src=x onerror='window.broken = true'> & \"'<!--";
  sample.result.metrics.set("com_error_end_m", std::numeric_limits<double>::quiet_NaN());
  sample.result.checks.push_back(judge({"com_error_max_m", Check::Rule::below, 0.005}, sample.result.metrics));
  sample.result.checks.push_back(judge({"com_error_end_m", Check::Rule::below, 0.005}, sample.result.metrics));
  sample.result.faults = {{"left_foot_wrench_lost", 1.2, "the right foot's wrench and the model " + hostile}};
  sample.result.scenario = hostile;
  sample.page.title += " " + hostile;
  sample.page.about += " " + hostile;
  sample.page.scenario_text += "about: " + hostile;
  sample.page.notes.push_back(hostile);
  sample.page.line_plots[0].title += hostile;
  sample.page.line_plots[0].about += hostile;
  sample.page.line_plots[0].y_label = hostile;
  sample.page.line_plots[0].series[0].label = hostile;
  sample.page.plane_plots[0].title += hostile;
  sample.page.plane_plots[0].rectangles[0].label = hostile;
  return sample;
}

Sample sample_without_log() {
  Sample sample{sample_result(), Log(), {}};
  sample.page.title = "identify";
  sample.result.checks.clear();
  return sample;
}

Sample sample_of_curves() {
  Sample sample{sample_result(), Log({"time_s", "left_n", "right_n", "plan_n", "person_n", "still_m"}), {}};
  for (int i = 0; i < 200; ++i) {
    const double force = 300.0 + 50.0 * std::sin(0.1 * i);
    const double rounding = i % 2 == 0 ? 1e-16 : -2e-16;
    sample.log.append(std::vector{0.01 * i, force, force + 1e-6, force + 20.0, force - 20.0, rounding});
  }
  sample.page.title = "curves";
  sample.page.line_plots = {
      {.title = "Forces",
       .y_label = "force [N]",
       .series = {{"left_n", "left foot"}, {"right_n", "right foot"}, {"plan_n", "reference", true}}},
      {.title = "References",
       .y_label = "force [N]",
       .x_label = "instant [s]",
       .series = {{"left_n", "measured"}, {"plan_n", "reference", true}, {"person_n", "person", true}}},
      {.title = "At rest", .y_label = "CoM y [m]", .series = {{"still_m", "CoM"}}}};
  return sample;
}

Sample sample_of_many_runs() {
  Sample sample{sample_result(), Log({"run", "ok", "friction", "slip_m", "limit_x", "limit_y"}), {}};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(0.1, 0.9);
  constexpr int kRuns = 120, kDirections = 12;
  for (int run = 0; run < kRuns; ++run) {
    const double friction = uniform(random);
    const double slip = 0.01 * std::exp(-6.0 * friction) * uniform(random);
    const double angle = 2.0 * std::numbers::pi * run / kDirections;
    const bool has_limit = run <= kDirections;
    sample.log.append(std::vector{double(run), slip < 0.001 ? 1.0 : 0.0, friction, run == 7 ? kMissing : slip,
                                  has_limit ? 130.0 * std::cos(angle) : kMissing,
                                  has_limit ? 90.0 * std::sin(angle) : kMissing});
  }
  sample.page.title = "slippery, 120 runs";
  sample.page.tables = {{.title = "Metrics over the runs",
                         .about = "Percentiles, extremes and mean.",
                         .header = {"metric", "unit", "p10", "p50", "mean"},
                         .rows = {{"slip_m", "m", "1e-05", "0.0004", "0.0007"}, {"fell", "-", "", "", "0.02"}}},
                        {.title = "<b>Runs</b> that failed",
                         .about = "",
                         .header = {"run", "<i>why</i>"},
                         .rows = {{"7", "<img src=x onerror='window.broken = true'>"}}}};
  sample.page.scatter_plots = {{.title = "slip_m",
                                .about = "One point for each run.",
                                .x_label = "slip [m]",
                                .y_label = {},
                                .x_column = "slip_m",
                                .y_column = {},
                                .ok_column = "ok",
                                .x_marks = {{0.0004, "p50"}}},
                               {.title = "slip_m over friction",
                                .about = "",
                                .x_label = "friction",
                                .y_label = "slip [m]",
                                .x_column = "friction",
                                .y_column = "slip_m",
                                .ok_column = "ok"}};
  sample.page.plane_plots = {{.title = "Limits by direction",
                              .about = "",
                              .x_label = "forward [N]",
                              .y_label = "to the left [N]",
                              .x_column = "limit_x",
                              .y_column = "limit_y",
                              .rectangles = {},
                              .points = {{0.0, 0.0, "0"}},
                              .has_separate_samples = true}};
  return sample;
}

}  // namespace aplomb::test
