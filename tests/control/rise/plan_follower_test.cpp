#include "aplomb/control/rise/plan_follower.hpp"

#include <gtest/gtest.h>

#include "aplomb/robot/configuration.hpp"
#include "control/rise/sitting_plan.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(PlanFollower, HasThePlansPostureAndWrenches) {
  const auto plan = test::sitting_plan(0.5, 0.5);
  PlanFollower follower(test::sitting_robot(), {.plan = plan});
  follower.update(test::sitting_readings(0.1, 0.5 * test::sitting_weight()));
  EXPECT_LT((follower.reference().angle - joint_positions(plan->trajectory.q.col(0))).norm(), 1e-9);
  double sum = 0.0;
  for (const PlanSample::ContactWrench& wrench : follower.sample().wrenches) sum += wrench.wrench[2];
  EXPECT_NEAR(sum, test::sitting_weight(), 1e-6 * test::sitting_weight());
}

TEST(PlanFollower, AnUpdateDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  PlanFollower follower(test::sitting_robot(), {.plan = test::sitting_plan(0.5, 0.0)});
  SensorReadings readings = test::sitting_readings(0.0, 0.5 * test::sitting_weight());
  follower.update(readings);
  const test::AllocationCount allocations;
  for (int tick = 0; tick < 20; ++tick) {
    readings.time_s = 1e-3 * tick;
    follower.update(readings);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
