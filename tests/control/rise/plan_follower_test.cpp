#include "aplomb/control/rise/plan_follower.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/robot/configuration.hpp"
#include "control/rise/sitting_plan.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(PlanFollower, HasThePlansPostureAndWrenches) {
  const auto plan = test::sitting_plan(0.5, 0.5);
  PlanFollower follower(test::sitting_robot(), {.plan = plan}, 3.5);
  follower.update(test::sitting_readings(0.1, 0.5 * test::sitting_weight()));
  EXPECT_LT((follower.reference().angle - joint_positions(plan->trajectory.q.col(0))).norm(), 1e-9);
  double sum = 0.0;
  for (const PlanSample::ContactWrench& wrench : follower.sample().wrenches) sum += wrench.wrench[2];
  EXPECT_NEAR(sum, test::sitting_weight(), 1e-6 * test::sitting_weight());
}

/// The sitting plan with a CoM and a joint that move along a sine.
std::shared_ptr<MotionPlan> moving_plan() {
  auto plan = test::sitting_plan(0.5, 0.5);
  Trajectory& t = plan->trajectory;
  constexpr double kRate = 3.0;  // [1/s]
  for (Eigen::Index i = 0; i < t.num_samples(); ++i) {
    const double s = std::sin(kRate * t.time_s(i)), c = std::cos(kRate * t.time_s(i));
    t.com(0, i) += 0.1 * s;
    t.com_velocity(0, i) = 0.1 * kRate * c;
    t.com_acceleration(0, i) = -0.1 * kRate * kRate * s;
    t.q(10, i) += 0.2 * s;
    t.v(9, i) = 0.2 * kRate * c;
    t.a(9, i) = -0.2 * kRate * kRate * s;
  }
  return plan;
}

TEST(PlanFollower, AtAnyPaceRatesAndAccelerationsAreTheDerivativesOfThePositions) {
  constexpr double kOmega = 3.5;
  PlanFollower follower(test::sitting_robot(), {.plan = moving_plan()}, kOmega);
  BalanceReference before = follower.reference();
  double pace = 1.0;
  for (int tick = 0; tick < 1300; ++tick) {
    follower.set_pace(tick < 300 ? 1.0 : tick < 1000 ? -1.0 : 0.0);
    follower.update(test::sitting_readings(1e-3 * tick, 0.5 * test::sitting_weight()));
    const BalanceReference& now = follower.reference();
    EXPECT_LE(std::abs(follower.pace() - pace), 1e-3 * kOmega + 1e-12) << tick;
    pace = follower.pace();
    if (tick > 2) {  // differences over a millisecond: errors of the order of a tick's change of pace
      EXPECT_NEAR((now.com.position - before.com.position).x() / 1e-3, now.com.velocity.x(), 2e-3) << tick;
      EXPECT_NEAR((now.com.velocity - before.com.velocity).x() / 1e-3, now.com.acceleration.x(), 1e-2) << tick;
      EXPECT_NEAR((now.angle - before.angle)[3] / 1e-3, now.rate[3], 4e-3) << tick;
      EXPECT_NEAR((now.rate - before.rate)[3] / 1e-3, now.acceleration[3], 2e-2) << tick;
    }
    before = now;
  }
  EXPECT_LT(follower.plan_s(), 0.1);  // it has gone back
}

TEST(PlanFollower, APlanThatIsTurnedBackEndsOnTheSeatItCameFrom) {
  auto plan = test::sitting_plan(0.5, 0.5);
  plan->contacts.contacts.back().end_s = 0.4;
  PlanFollower follower(test::sitting_robot(), {.plan = plan}, 3.5);
  EXPECT_TRUE(follower.phase().is_seated);
  for (int tick = 0; tick < 600; ++tick) {
    follower.update(test::sitting_readings(1e-3 * tick, 0.5 * test::sitting_weight()));
  }
  EXPECT_FALSE(follower.phase().is_seated);
  EXPECT_FALSE(follower.is_seat_ahead(1.0));
  EXPECT_TRUE(follower.is_seat_ahead(-1.0));
  follower.turn_back();
  for (int tick = 600; tick < 4000; ++tick) {
    follower.set_pace(-1.0);
    follower.update(test::sitting_readings(1e-3 * tick, 0.5 * test::sitting_weight()));
  }
  EXPECT_EQ(follower.plan_s(), 0.0);
  EXPECT_TRUE(follower.phase().is_seated);
  EXPECT_EQ(follower.pace(), 0.0);
}

TEST(PlanFollower, AnUpdateDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  PlanFollower follower(test::sitting_robot(), {.plan = test::sitting_plan(0.5, 0.0)}, 3.5);
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
