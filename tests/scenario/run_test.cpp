#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// A second of standing, with more lines of YAML.
RunResult run(const std::string& robot, const std::string& more = "", double duration_s = 1.0) {
  const std::string text = fmt::format("scenario: test\nrobot: {}\nduration_s: {}\n{}", robot, duration_s, more);
  return run_scenario(parse_scenario(text, "test.yaml"));
}

std::string push(const std::string& force_per_weight, double duration_s = 0.1) {
  return fmt::format("events: [{{push: {{force_per_weight: {}, start_s: 0.2, duration_s: {}}}}}]\n", force_per_weight,
                     duration_s);
}

double number(const RunResult& output, std::string_view metric) {
  const auto value = output.result.metrics.number(metric);
  EXPECT_TRUE(value.has_value()) << metric;
  return value.value_or(std::nan(""));
}

bool fell(const RunResult& output) { return std::get<bool>(*output.result.metrics.find("fell")); }

const CheckOutcome* check_of(const RunResult& output, std::string_view metric) {
  const auto& checks = output.result.checks;
  const auto found = std::ranges::find_if(checks, [&](const auto& outcome) { return outcome.check.metric == metric; });
  return found == checks.end() ? nullptr : &*found;
}

TEST(Run, OfAStandingRobotIsStill) {
  const RunResult output = run("coman");
  EXPECT_FALSE(fell(output));
  EXPECT_EQ(number(output, "duration_s"), 1.0);
  EXPECT_LT(number(output, "com_error_max_m"), 1e-5);
  EXPECT_LE(number(output, "com_error_rms_m"), number(output, "com_error_max_m"));
  EXPECT_GT(number(output, "cop_margin_min_m"), 0.0);
  EXPECT_EQ(output.log.num_rows(), 1000u);
  EXPECT_TRUE(output.result.all_checks_hold());
}

TEST(Run, OfAPushedRobotMovesItsComTheFartherTheHarderThePush) {
  double last = number(run("sarcos"), "com_error_max_m");
  for (double force : {0.01, 0.02, 0.04}) {
    const RunResult output = run("sarcos", push(fmt::format("[{}, 0, 0]", force)));
    EXPECT_GT(number(output, "com_error_max_m"), 1.5 * last) << force;
    EXPECT_FALSE(fell(output));
    last = number(output, "com_error_max_m");
  }
}

TEST(Run, FeelsThePushThatItsLogShows) {
  const RunResult output = run("balancer", push("[0.02, -0.01, 0]"));
  const double weight = RobotModel::load("balancer").mass() * 9.81;
  const std::vector<double> time = output.log.column("time_s");
  const std::vector<double> forward = output.log.column("push_x_n");
  const std::vector<double> sideways = output.log.column("push_y_n");
  double impulse = 0.0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    impulse += 1e-3 * forward[i];
    EXPECT_NEAR(sideways[i], -0.5 * forward[i], 1e-9 * weight);
  }
  EXPECT_NEAR(impulse, 0.02 * weight * 0.1, 0.02 * weight * 1e-3 + 1e-9);  // one tick at its ends
}

TEST(Run, OfASeatedRobotHoldsItsPose) {
  const RunResult output = run("sarcos_real", "start: {posture: seated}\nworld: {chair: {height_m: 0.45}}\n", 2.0);
  EXPECT_FALSE(fell(output));
  EXPECT_LT(number(output, "com_error_max_m"), 0.01);
}

TEST(Run, IsJudgedByItsFallAndEndsThere) {
  const RunResult output = run("coman", push("[1, 0, 0]") + "checks: [{metric: fell, equals: false}]\n", 5.0);
  EXPECT_TRUE(fell(output));
  const double fell_at = number(output, "fell_at_s");
  EXPECT_GT(fell_at, 0.2);
  EXPECT_LT(fell_at, 4.0);
  EXPECT_EQ(number(output, "duration_s"), fell_at);
  EXPECT_EQ(output.log.num_rows(), static_cast<std::size_t>(std::lround(1e3 * fell_at)));
  EXPECT_FALSE(check_of(output, "fell")->ok);
  EXPECT_EQ(output.result.verdict(), "fail");
}

TEST(Run, FailsByAFallThatTheScenarioDoesNotCheck) {
  EXPECT_EQ(run("coman", push("[1, 0, 0]"), 5.0).result.verdict(), "fail");
  const std::string expected = "checks: [{metric: fell, equals: true}]\n";
  EXPECT_EQ(run("coman", push("[1, 0, 0]") + expected, 5.0).result.verdict(), "pass");
}

TEST(Run, CallsItNoFallWhenTheRobotOnlySways) {
  const RunResult output = run("coman", push("[0.03, 0, 0]"), 2.0);
  EXPECT_FALSE(fell(output));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*output.result.metrics.find("fell_at_s")));
  EXPECT_EQ(number(output, "duration_s"), 2.0);
}

TEST(Run, AlwaysChecksThatNothingWentWrongByOurOwnDoing) {
  for (const char* checks : {"", "checks: [{metric: torque_peak_ratio, below: 1}]\n"}) {
    const RunResult output = run("hoap3", checks, 0.05);
    for (const char* metric : {"fell", "sim_warnings", "solver_failures", "nonfinite_values"}) {
      ASSERT_NE(check_of(output, metric), nullptr) << metric;
      EXPECT_TRUE(check_of(output, metric)->ok) << metric;
    }
  }
}

TEST(Run, DoesNotRepeatAnOwnCheckThatTheScenarioMakes) {
  const RunResult output = run("hoap3", "checks: [{metric: sim_warnings, below: 5}]\n", 0.05);
  EXPECT_EQ(output.result.checks.size(), 4u);
  EXPECT_EQ(check_of(output, "sim_warnings")->check.rule, Check::Rule::below);
}

TEST(Run, JudgesEachCheckByTheMetricThatItMeasured) {
  const RunResult output = run("balancer",
                               "checks:\n"
                               "  - {metric: com_error_max_m, below: 0.005}\n"
                               "  - {metric: com_error_rms_m, above: 0.005}\n"
                               "  - {metric: fell, equals: false}\n"
                               "  - {metric: fell_at_s, equals: null}\n"
                               "  - {metric: zmp_settle_s, above: 0}\n",  // not a metric of this run
                               0.1);
  std::vector<bool> held;
  for (std::size_t i = 0; i < 5; ++i) held.push_back(output.result.checks[i].ok);
  EXPECT_EQ(held, (std::vector<bool>{true, false, true, true, false}));
}

TEST(Run, HasOnlyMetricsThatAreKnownAndAllOfThoseThatEveryRunHas) {
  const RunResult output = run("sarcos", "", 0.05);
  std::set<std::string> names;
  for (const auto& [name, value] : output.result.metrics.entries()) {
    EXPECT_NE(find_metric(name), nullptr) << name;
    names.insert(name);
  }
  for (const MetricInfo& metric : metric_groups().front().metrics) {
    EXPECT_TRUE(names.contains(std::string(metric.name))) << metric.name;
  }
  for (const auto& [name, value] : output.result.timing.entries()) {
    const auto known = timing_metrics();
    EXPECT_TRUE(std::ranges::any_of(known, [&](const MetricInfo& metric) { return metric.name == name; })) << name;
  }
}

TEST(Run, LogsOnlyColumnsThatTheDocumentationLists) {
  const std::string text =
      read_file(std::filesystem::path(APLOMB_SOURCE_DIR) / "docs/scenarios.md", std::size_t{1} << 20);
  const RobotModel robot = RobotModel::load("coman");
  const RunResult output = run("coman", "", 0.01);
  for (std::string column : output.log.columns()) {
    for (const Joint& joint : robot.joints()) {
      const std::size_t at = column.find("_" + joint.name);
      if (at != std::string::npos) column.replace(at + 1, joint.name.size(), "JOINT");
    }
    EXPECT_TRUE(test::has(text, "`" + column + "`"));
  }
}

TEST(Run, TellsHowFarItIs) {
  std::vector<double> times;
  run_scenario(parse_scenario("scenario: test\nrobot: balancer\nduration_s: 0.35\n", "test.yaml"),
               [&times](double time_s) { times.push_back(time_s); });
  EXPECT_GE(times.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_LE(times.back(), 0.35);
}

TEST(Run, GivesTheSameNumbersTwice) {
  const RunResult a = run("sarcos", push("[0.03, 0.02, 0]"), 0.5);
  const RunResult b = run("sarcos", push("[0.03, 0.02, 0]"), 0.5);
  EXPECT_EQ(a.result.metrics.entries(), b.result.metrics.entries());
  for (const std::string& column : a.log.columns()) {
    const std::vector<double> first = a.log.column(column), second = b.log.column(column);
    EXPECT_TRUE(std::ranges::equal(first, second, [](double x, double y) {
      return x == y || (std::isnan(x) && std::isnan(y));
    })) << column;
  }
}

TEST(Run, RefusesAScenarioThatDoesNotFitItsRobot) {
  EXPECT_TRUE(test::has(test::error_of([] { run("coman", "start: {posture: handstand}\n"); }), "'handstand'"));
  EXPECT_TRUE(test::has(test::error_of([] { run("nobody"); }), "'nobody'"));
}

}  // namespace
}  // namespace aplomb
