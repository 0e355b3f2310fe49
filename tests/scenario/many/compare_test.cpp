#include "aplomb/scenario/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/present/comparison_report.hpp"

namespace aplomb {
namespace {

TEST(Compare, RunsTheSameScenarioUnderEachController) {
  const Comparison comparison =
      compare_controllers("stand_coman", {"joint_pd", "partial_force"}, {{"duration_s", "0.2"}});
  ASSERT_EQ(comparison.runs.size(), 2u);
  for (const ComparedRun& run : comparison.runs) {
    EXPECT_TRUE(run.error.empty());
    EXPECT_EQ(run.output.result.metrics.number("duration_s"), 0.2);
    EXPECT_EQ(recovery_time(run, 0.0), 0.0);  // the CoM never leaves
  }
  const ComparisonReport output = comparison_report(comparison);
  EXPECT_EQ(output.page.tables.at(0).rows.size(), 2u);
  EXPECT_TRUE(output.log.has("partial_force_com_x_m"));
  EXPECT_EQ(output.result.metrics.number("joint_pd.fell"), 0.0);
}

TEST(Compare, SaysWhyARobotAndAControllerDoNotFit) {
  const Comparison comparison =
      compare_controllers("stand_hoap3", {"joint_pd", "partial_force"}, {{"duration_s", "0.05"}});
  EXPECT_TRUE(comparison.runs[0].error.empty());
  EXPECT_NE(comparison.runs[1].error.find("position-controlled"), std::string::npos);
  EXPECT_EQ(comparison_rows(comparison)[1].back(), comparison.runs[1].error);
}

TEST(Compare, RefusesAControllerThatDoesNotExist) {
  EXPECT_THROW(compare_controllers("stand_coman", {"joint_pdd"}, {}), UnknownName);
}

TEST(Compare, ARobotThatFallsDoesNotRecover) {
  const Comparison comparison = compare_controllers(
      "stand_coman", {"joint_pd"}, {{"events", "[{push: {force_per_weight: [1, 0, 0], start_s: 0.1}}]"}});
  EXPECT_TRUE(std::isnan(recovery_time(comparison.runs[0], comparison.first_push_s)));
  EXPECT_EQ(comparison.first_push_s, 0.1);
}

TEST(Compare, IsNotJudgedAndEachRowShowsItsFall) {
  const Comparison comparison =
      compare_controllers("stand_coman", {"joint_pd", "momentum_balance"},
                          {{"events", "[{push: {force_per_weight: [1, 0, 0], start_s: 0.1, duration_s: 0.3}}]"}});
  const Result result = comparison_report(comparison).result;
  EXPECT_EQ(result.verdict(), "not_judged");
  for (const auto& row : comparison_rows(comparison)) EXPECT_EQ(row[1].substr(0, 3), "at ") << row[0];
  for (const char* kind : {"joint_pd.fell", "momentum_balance.fell"}) EXPECT_EQ(result.metrics.number(kind), 1.0);
}

}  // namespace
}  // namespace aplomb
