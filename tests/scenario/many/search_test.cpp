#include "aplomb/scenario/search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/files/partial_results.hpp"
#include "aplomb/present/many_runs_page.hpp"
#include "aplomb/scenario/many/run_record.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

/// A run as short as can be, judged by how far a push moves the CoM, which grows with it.
constexpr const char* kPushed =
    "scenario: s\nrobot: coman\nduration_s: 0.1\nevents: [{push: {magnitude_n: 0, start_s: 0.01}}]\n"
    "checks: [{metric: com_error_max_m, below: 0.005}]\n";

Scenario scenario_with(const std::string& search) { return parse_scenario(kPushed + search + "\n", "f.yaml"); }
std::string error_with(const std::string& search) {
  return error_of([&] { scenario_with(search); });
}

std::vector<double> limits_of(const ManyRunsResult& output, const char* metric = "push_limit_n") {
  return std::get<std::vector<double>>(*output.result.metrics.find(metric));
}

TEST(Search, FindsTheLargestValueThatPassesAsTryingAllOfThemDoes) {
  const Scenario scenario = scenario_with("search: {key: events.0.push.magnitude_n, low: 0, high: 150, step: 10}");
  const ManyRunsResult output = search_limit(scenario, {});
  double largest = -1.0;
  bool is_monotone = true;
  RisePlanner planner;
  for (int value = 0; value <= 150; value += 10) {
    const std::vector<Override> changes = {{"events.0.push.magnitude_n", std::to_string(value)}};
    if (!run_and_record(scenario, changes, planner).ok) continue;
    is_monotone = is_monotone && (largest < 0.0 || value == largest + 10);
    largest = value;
  }
  ASSERT_TRUE(is_monotone);
  ASSERT_GT(largest, 0.0);
  ASSERT_LT(largest, 150.0);
  EXPECT_EQ(limits_of(output), std::vector{largest});
  EXPECT_EQ(output.result.metrics.number("push_limit_min_n"), largest);
  EXPECT_EQ(output.result.metrics.number("search_unbracketed"), 0.0);
  EXPECT_LE(*output.result.metrics.number("search_runs"), 2 + 4);  // both ends, and log2 of 15 steps
  EXPECT_TRUE(output.result.all_checks_hold());
}

TEST(Search, HasALimitForEachDirectionWhateverTheJobs) {
  const Scenario scenario = scenario_with(
      "search: {key: events.0.push.magnitude_n, low: 0, high: 150, step: 5, directions: [0, 90, -90, 180]}");
  const ManyRunsResult alone = search_limit(scenario, {.jobs = 1});
  const ManyRunsResult together = search_limit(scenario, {.jobs = 3});
  const std::vector<double> limits = limits_of(alone);
  ASSERT_EQ(limits.size(), 4u);
  EXPECT_EQ(limits[1], limits[2]);  // the robot is its own mirror image
  EXPECT_EQ(together.csv, alone.csv);
  EXPECT_EQ(together.result.metrics.entries(), alone.result.metrics.entries());
  ASSERT_EQ(search_page(scenario, alone).plane_plots.size(), 1u);
  // The plot's points lie in the directions that were asked for, and the first closes the line.
  ASSERT_EQ(alone.table.num_rows(), 5u);
  EXPECT_NEAR(alone.table.at(1, alone.table.index("limit_left")), limits[1], 1e-9);
  EXPECT_NEAR(alone.table.at(3, alone.table.index("limit_forward")), -limits[3], 1e-9);
  EXPECT_EQ(alone.table.at(4, alone.table.index("limit_forward")), limits[0]);
}

TEST(Search, WhereLowFailsThereIsNoLimit) {
  const Scenario scenario = scenario_with("search: {key: events.0.push.magnitude_n, low: 2000, high: 3000, step: 100}");
  const ManyRunsResult output = search_limit(scenario, {});
  EXPECT_TRUE(std::isnan(limits_of(output).at(0)));
  EXPECT_EQ(*output.result.metrics.find("push_limit_min_n"), MetricValue{});
  EXPECT_EQ(output.result.metrics.number("search_failures"), 1.0);
  EXPECT_EQ(output.result.metrics.number("search_runs"), 1.0);
  EXPECT_FALSE(output.result.all_checks_hold());
  EXPECT_TRUE(
      has(search_page(scenario, output).tables.at(0).rows.at(0).back(), "not even 2000 passes: com_error_max_m"));
}

TEST(Search, WhereTheLargestValuePassesTheLimitMayBeHigher) {
  const ManyRunsResult output =
      search_limit(scenario_with("search: {key: events.0.push.magnitude_n, low: 0, high: 1.05, step: 0.1}"), {});
  EXPECT_EQ(limits_of(output), std::vector{1.0});  // the last of 0, 0.1, ... that is not above `high`
  EXPECT_EQ(output.result.metrics.number("search_unbracketed"), 1.0);
  EXPECT_EQ(output.result.metrics.number("search_runs"), 2.0);
  EXPECT_TRUE(output.result.all_checks_hold());
}

TEST(Search, WorksOnAnyNumber) {
  const ManyRunsResult output = search_limit(
      parse_scenario("scenario: s\nrobot: coman\nduration_s: 0.1\nchecks: [{metric: duration_s, below: 0.0305}]\n"
                     "search: {key: duration_s, low: 0.01, high: 0.1, step: 0.01}\n",
                     "f.yaml"),
      {});
  EXPECT_EQ(limits_of(output, "search_limit"), std::vector{0.03});
  EXPECT_EQ(output.result.metrics.find("push_limit_n"), nullptr);
}

TEST(Search, ChecksOnItsResultAreJudgedAtTheEnd) {
  const std::string search = "search: {key: events.0.push.magnitude_n, low: 0, high: 150, step: 10}\n";
  const auto result_with = [&](const std::string& check) {
    std::string text = kPushed + search;
    text.replace(text.find("checks: ["), 9, "checks: [" + check + ", ");
    return search_limit(parse_scenario(text, "f.yaml"), {}).result;
  };
  EXPECT_TRUE(result_with("{metric: push_limit_min_n, above: 1}").all_checks_hold());
  EXPECT_FALSE(result_with("{metric: push_limit_min_n, above: 149}").all_checks_hold());
  EXPECT_TRUE(has(error_of([] {
                    parse_scenario(std::string(kPushed).replace(std::string(kPushed).find("com_error_max_m"), 15,
                                                                "push_limit_min_n"),
                                   "f.yaml");
                  }),
                  "push_limit_min_n is found by a search, and this scenario has no key 'search'"));
}

TEST(Search, ARunThatWasKeptIsNotMadeAgain) {
  const test::TemporaryFolder folder;
  const Scenario scenario = scenario_with("search: {key: events.0.push.magnitude_n, low: 0, high: 10, step: 10}");
  PartialResults kept(folder.path() / "out", work_of(scenario, "search"));
  kept.write("direction_000_value_0000001", to_json(RunRecord{.ok = false, .failed_checks = {"planted"}}));
  const ManyRunsResult output = search_limit(scenario, {.kept = &kept});
  EXPECT_EQ(limits_of(output), std::vector{0.0});
  EXPECT_EQ(kept.num_items(), 2u);
}

TEST(Search, AWrongRequestIsAnErrorAtItsPlace) {
  EXPECT_TRUE(has(error_with("search: {low: 0, high: 1, step: 1}"), "the key 'key' is missing in search"));
  EXPECT_TRUE(has(error_with("search: {key: events.0.push.magnitude, low: 0, high: 1, step: 1}"),
                  "f.yaml:6:15: unknown key 'magnitude' in events.0.push; closest is 'magnitude_n'"));
  EXPECT_TRUE(has(error_with("search: {key: robot, low: 0, high: 1, step: 1}"), "only a number can be searched"));
  EXPECT_TRUE(has(error_with("search: {key: seed, low: 0, high: 1, step: 1}"), "'seed' cannot be searched"));
  EXPECT_TRUE(
      has(error_with("search: {key: duration_s, low: 0, high: 1, step: 1}"), "duration_s must be at least 0.001"));
  EXPECT_TRUE(has(error_with("search: {key: duration_s, low: 1, high: 9999, step: 1}"), "not 9999"));
  EXPECT_TRUE(
      has(error_with("search: {key: duration_s, low: 2, high: 1, step: 1}"), "must not be below search.low (2)"));
  EXPECT_TRUE(has(error_with("search: {key: duration_s, low: 1, high: 2, step: 0}"), "search.step must be above 0"));
  EXPECT_TRUE(has(error_with("search: {key: duration_s, low: 1, high: 2, step: 1e-9}"), "more than 1e+06 values"));
  EXPECT_TRUE(has(error_with("search: {key: duration_s, low: 1, high: 2, step: 1, directions: [0]}"),
                  "search.directions needs a push to turn"));
  const std::string push = "search: {key: events.0.push.magnitude_n, low: 0, high: 1, step: 1, directions: ";
  EXPECT_TRUE(has(error_with(push + "[]}"), "search.directions must have 1 to 1000 numbers, not 0"));
  EXPECT_TRUE(has(error_with(push + "[400]}"), "must be at least -360, at most 360 [deg], not 400"));
  EXPECT_TRUE(has(error_with(push + "up}"), "search.directions must be a list of numbers"));
}

}  // namespace
}  // namespace aplomb
