#include "aplomb/scenario/repeat.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "aplomb/core/files/partial_results.hpp"
#include "aplomb/present/many_runs_page.hpp"
#include "aplomb/scenario/many/run_record.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "scenario/pushed_scenario.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

Scenario pushed(const std::vector<std::string>& options = {}) {
  std::vector<Override> overrides;
  for (const std::string& option : options) overrides.push_back(parse_override(option));
  return parse_scenario(test::kPushedScenario, "pushed.yaml", overrides);
}

ManyRunsResult repeat(const Scenario& scenario, std::int64_t runs, std::size_t jobs = 2) {
  return repeat_scenario(scenario, runs, {.jobs = jobs});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Records as an earlier process would have kept them: run i of a repeat.
class KeptRuns {
 public:
  explicit KeptRuns(const Scenario& scenario) : kept_(folder_.path() / "out", work_of(scenario, "repeat")) {}
  void keep(int run, const RunRecord& record) { kept_.write(fmt::format("run_{:06}", run), to_json(record)); }
  void keep_text(int run, const std::string& text) { kept_.write(fmt::format("run_{:06}", run), text); }
  PartialResults* partial() { return &kept_; }

 private:
  test::TemporaryFolder folder_;
  PartialResults kept_;
};

RunRecord record_with(const std::string& metric, const MetricValue& value, bool ok = true) {
  RunRecord record{.ok = ok};
  record.metrics.set(metric, value);
  return record;
}

TEST(Repeat, DoesNotDependOnTheNumberOfJobs) {
  const Scenario scenario = pushed();
  const ManyRunsResult alone = repeat(scenario, 12, 1);
  EXPECT_GT(*alone.result.metrics.number("success_ratio"), 0.0);
  EXPECT_LT(*alone.result.metrics.number("success_ratio"), 1.0);
  for (const std::size_t jobs : {2u, 5u, 40u}) {
    const ManyRunsResult together = repeat(scenario, 12, jobs);
    EXPECT_EQ(together.csv, alone.csv);
    EXPECT_EQ(together.result.metrics.entries(), alone.result.metrics.entries());
  }
}

TEST(Repeat, ARunDependsOnItsNumberAndNotOnHowManyThereAre) {
  const std::vector<std::string> few = lines_of(repeat(pushed(), 3).csv);
  const std::vector<std::string> many = lines_of(repeat(pushed(), 7).csv);
  ASSERT_EQ(few.size(), 4u);
  ASSERT_EQ(many.size(), 8u);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
  const std::vector<std::string> other = lines_of(repeat(pushed({"seed=2"}), 3).csv);
  EXPECT_EQ(other[0], many[0]);
  EXPECT_NE(other[1], many[1]);
}

TEST(Repeat, ARunCanBeMadeAloneFromItsRow) {
  const Scenario scenario = pushed();
  const ManyRunsResult output = repeat(scenario, 4);
  for (const int run : {0, 3}) {
    std::vector<Override> options;
    for (const Override& value : values_of_run(scenario, run)) {
      // As a user would write it, from what the table shows.
      EXPECT_TRUE(has(lines_of(output.csv)[static_cast<std::size_t>(run) + 1], value.value));
      options.push_back(parse_override(value.key + "=" + value.value));
    }
    const Metrics alone = run_scenario(parse_scenario(test::kPushedScenario, "pushed.yaml", options)).result.metrics;
    for (const char* metric : {"com_error_max_m", "slip_max_m", "torque_peak_ratio"}) {
      EXPECT_EQ(output.table.at(static_cast<std::size_t>(run), output.table.index(metric)), *alone.number(metric));
    }
  }
}

TEST(Repeat, StatisticsAreThoseOfTheTable) {
  const ManyRunsResult output = repeat(pushed(), 9);
  std::vector<double> values = output.table.column("com_error_max_m");
  std::ranges::sort(values);
  EXPECT_EQ(output.result.metrics.number("com_error_max_m_min"), values.front());
  EXPECT_EQ(output.result.metrics.number("com_error_max_m_p50"), values[4]);
  EXPECT_EQ(output.result.metrics.number("com_error_max_m_max"), values.back());
  EXPECT_EQ(output.result.metrics.number("runs"), 9.0);
  const std::vector<double> ok = output.table.column("ok");
  EXPECT_DOUBLE_EQ(*output.result.metrics.number("success_ratio"),
                   static_cast<double>(std::ranges::count(ok, 1.0)) / 9.0);
  EXPECT_EQ(output.result.provenance.seed, 1);
}

TEST(Repeat, VariedValuesAreDrawnAndSeedsDiffer) {
  const ManyRunsResult output = repeat(pushed(), 6);
  for (const double friction : output.table.column("vary.world.floor.friction")) {
    EXPECT_GE(friction, 0.1);
    EXPECT_LE(friction, 0.9);
  }
  const std::vector<double> pushes = output.table.column("vary.events.0.push.magnitude_n");
  EXPECT_NE(pushes[0], pushes[1]);
  const std::vector<double> seeds = output.table.column("seed");
  EXPECT_NE(seeds[0], seeds[1]);
}

TEST(Repeat, WithoutVaryEveryRunHasItsOwnSeedAndNothingElse) {
  const Scenario scenario = pushed({"vary={}"});
  const ManyRunsResult output = repeat(scenario, 3);
  const std::vector<double> seeds = output.table.column("seed");
  EXPECT_NE(seeds[0], seeds[1]);
  for (std::int64_t run = 0; run < 3; ++run) EXPECT_EQ(values_of_run(scenario, run).size(), 1u);
}

TEST(Repeat, ChecksOnManyRunsAreJudgedOnAllOfThem) {
  const auto checks_of = [](const std::string& checks) { return repeat(pushed({"checks=" + checks}), 4).result; };
  const Result asked = checks_of("[{metric: fell, equals: false}, {metric: com_error_max_m_p90, below: 1e-9}]");
  ASSERT_EQ(asked.checks.size(), 2u);
  EXPECT_EQ(asked.checks[0].check.metric, "com_error_max_m_p90");
  EXPECT_FALSE(asked.checks[0].ok);
  EXPECT_EQ(asked.checks[1].check.metric, "run_errors");
  const Result unasked = checks_of("[{metric: fell, equals: true}]");
  EXPECT_EQ(unasked.checks[0].check.metric, "success_ratio");
  EXPECT_EQ(unasked.metrics.number("success_ratio"), 0.0);
  EXPECT_FALSE(unasked.all_checks_hold());
  EXPECT_TRUE(checks_of("[{metric: fell_mean, below: 0.5}]").all_checks_hold());
}

TEST(Repeat, ARunThatFallsHasFailedWithoutACheckOnFalls) {
  const ManyRunsResult output =
      repeat(pushed({"checks=[]", "events.0.push.magnitude_n=5000", "vary={}", "duration_s=3"}), 2);
  EXPECT_EQ(output.result.metrics.number("fell_mean"), 1.0);
  EXPECT_EQ(output.result.metrics.number("success_ratio"), 0.0);
  EXPECT_EQ(output.result.verdict(), "fail");
}

TEST(Repeat, ARunThatWasKeptIsNotMadeAgain) {
  const Scenario scenario = pushed();
  KeptRuns kept(scenario);
  kept.keep(1, record_with("com_error_max_m", 12345.0));
  kept.keep_text(2, "{\"ok\": tr");  // what a failing disk leaves
  int num_made = 0;
  const auto count = [&num_made](double, double all) {
    EXPECT_EQ(all, 3.0);
    ++num_made;
  };
  const ManyRunsResult output = repeat_scenario(scenario, 4, {.jobs = 2, .kept = kept.partial(), .on_progress = count});
  EXPECT_EQ(num_made, 3);
  EXPECT_EQ(output.table.at(1, output.table.index("com_error_max_m")), 12345.0);
  EXPECT_EQ(lines_of(output.csv)[3], lines_of(repeat(scenario, 4).csv)[3]);
}

TEST(Repeat, AnErrorInARunIsRecordedAndCountsAsFailed) {
  const Scenario scenario = pushed();
  KeptRuns kept(scenario);
  kept.keep(0, {.error = "the engine said: no, \"never\""});
  kept.keep(1, record_with("fell_at_s", 0.5, /*ok=*/false));
  const ManyRunsResult output = repeat_scenario(scenario, 4, {.jobs = 2, .kept = kept.partial()});
  EXPECT_EQ(output.result.metrics.number("run_errors"), 1.0);
  EXPECT_LE(*output.result.metrics.number("success_ratio"), 0.5);
  EXPECT_FALSE(output.result.all_checks_hold());
  EXPECT_TRUE(has(output.csv, "\"the engine said: no, \"\"never\"\"\""));
  EXPECT_EQ(output.result.metrics.number("fell_at_s_max"), 0.5);  // over the one run that has it
}

TEST(Repeat, WhenNoRunCanBeMadeTheErrorIsTold) {
  const Scenario scenario = pushed({"start.posture=flying"});
  RisePlanner planner;
  const RunRecord record = run_and_record(scenario, {}, planner);
  EXPECT_FALSE(record.ok);
  EXPECT_TRUE(has(record.error, "no posture named 'flying' in robot coman"));
  EXPECT_TRUE(has(error_of([&] { repeat(scenario, 3); }), "every one of 3 runs ended with an error, the first with: "));
}

TEST(Repeat, TheNumberOfRunsHasBounds) {
  EXPECT_TRUE(has(error_of([] { repeat(pushed(), 0); }), "1 to 100000 times, not 0"));
  EXPECT_TRUE(has(error_of([] { repeat(pushed(), 100'001); }), "not 100001"));
}

TEST(Repeat, ThePageHasAPointForEveryRunAndSaysWhatFailed) {
  const ManyRunsResult output = repeat(pushed(), 8);
  const ReportPage page = repeat_page(pushed(), output);
  ASSERT_EQ(page.tables.size(), 2u);
  EXPECT_EQ(page.tables[1].title, "Failed runs");
  EXPECT_FALSE(page.scatter_plots.empty());
  for (const ScatterPlot& plot : page.scatter_plots) {
    EXPECT_TRUE(output.table.has(plot.x_column)) << plot.x_column;
    EXPECT_TRUE(plot.y_column.empty() || output.table.has(plot.y_column)) << plot.y_column;
  }
  EXPECT_EQ(output.table.num_rows(), 8u);
}

}  // namespace
}  // namespace aplomb
