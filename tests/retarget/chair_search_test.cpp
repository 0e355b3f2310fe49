#include "aplomb/retarget/chair_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aplomb/retarget/retarget_checks.hpp"
#include "aplomb/retarget/retarget_metrics.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

bool passes(const Retargeted& plan, const RobotModel& robot) {
  const Metrics metrics = retarget_metrics(plan, audit_plan(robot, plan.plan(), kAuditPointsBetween));
  return std::ranges::all_of(retarget_checks(plan), [&](const Check& check) { return judge(check, metrics).ok; });
}

TEST(ChairSearch, ThePlanPassesOnTheLowestChairAndNotTwoCentimetresLower) {
  const RobotModel robot = RobotModel::load("coman");
  const HumanTrial trial = test::demonstrated_trial("natural");
  const ChairSearch search = find_lowest_chair(trial, robot, {});
  ASSERT_TRUE(search.is_found);
  const double height = search.plan.seated.chair_height;
  EXPECT_TRUE(passes(search.plan, robot));
  EXPECT_FALSE(search.forbidden_lower.empty());
  EXPECT_LT(search.tried.size(), 20u);
  bool is_tried_lower = false;
  for (const ChairSearch::Height& tried : search.tried) {
    EXPECT_EQ(tried.is_feasible, tried.reason.empty()) << tried.height_m;
    if (tried.is_feasible) {
      EXPECT_GE(tried.height_m, height - 1e-6);
    }
    is_tried_lower = is_tried_lower || std::abs(tried.height_m - (height - kChairGap)) < 1e-6;
  }
  EXPECT_TRUE(is_tried_lower);
  // Planned again, on its own, and lower.
  EXPECT_TRUE(passes(retarget(trial, robot, {.chair_height = height, .finds_obstacle = false}), robot));
  try {
    EXPECT_FALSE(passes(retarget(trial, robot, {.chair_height = height - kChairGap, .finds_obstacle = false}), robot));
  } catch (const UnfitChair& error) {
    EXPECT_GT(error.nearest_m(), height - kChairGap);
  }
}

}  // namespace
}  // namespace aplomb
