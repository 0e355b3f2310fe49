#include "aplomb/control/rise/seat_approach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/rise/sitting_plan.hpp"

namespace aplomb {
namespace {

constexpr double kTouch = 0.5;  // [s] at which the plan takes the seat

/// A plan in which nothing moves, and the seat bears from half a second on.
std::shared_ptr<MotionPlan> touching_plan() {
  auto plan = test::sitting_plan(0.3, 0.3);
  plan->contacts.contacts.back().start_s = kTouch;
  for (Eigen::Index i = 0; i < 50; ++i) {
    for (Trajectory::ContactWrenches& contact : plan->trajectory.wrenches) {
      contact.wrench(2, i) = contact.site == ContactSite::seat ? 0.0 : 0.5 * test::sitting_weight();
    }
  }
  return plan;
}

struct Approach {
  Approach()
      : plan(touching_plan()),
        follower(test::sitting_robot(), {.plan = plan}, 3.5),
        contacts(test::sitting_robot(), {}, follower.plan(), follower.sample()),
        terms(test::sitting_robot(), contacts.frames()),
        loads(contacts.sites().size()),
        seat(test::sitting_weight(), 0.76, /*is_seated=*/false) {}

  /// One tick in which the seat bears `on_seat_n`; the capture point is `margin` inside the soles.
  void tick(double on_seat_n, double margin = 0.05) {
    const SensorReadings readings = test::sitting_readings(1e-3 * ticks++, on_seat_n);
    terms.update(readings.state);
    follower.update(readings);
    contacts.update(terms, readings, follower.sample(), loads, fallbacks);
    seat.update(1.0, margin, follower, contacts);
    loads.assign(contacts.planned().begin(), contacts.planned().end());
  }
  void go_on(int count, double on_seat_n, double margin = 0.05) {
    for (int i = 0; i < count; ++i) tick(on_seat_n, margin);
  }
  double pad_availability() const { return contacts.contacts()[2].availability; }

  std::shared_ptr<MotionPlan> plan;
  PlanFollower follower;
  RiseContacts contacts;
  RobotTerms terms;
  std::vector<ContactLoad> loads;
  Fallbacks fallbacks;
  SeatApproach seat;
  int ticks = 0;
};

TEST(SeatApproach, ThePlanWaitsForASeatThatDoesNotBearAndTheHipsGoDown) {
  Approach approach;
  approach.go_on(1400, 0.0);
  EXPECT_FALSE(approach.seat.is_touched());
  EXPECT_LT(approach.follower.plan_s(), kTouch + 0.2);  // it has come to a stop
  EXPECT_LT(approach.follower.chair_shift(), -0.02);
  EXPECT_EQ(approach.pad_availability(), 0.0);  // the feet bear all
  approach.go_on(1500, 0.0);
  EXPECT_TRUE(approach.seat.is_out_of_reach());
  EXPECT_GT(approach.follower.chair_shift(), -0.08);  // no further than the search reaches
}

TEST(SeatApproach, ASeatThatBearsIsTouchedAndGetsItsLoad) {
  Approach approach;
  approach.go_on(700, 0.0);
  approach.go_on(300, 0.1 * test::sitting_weight());
  EXPECT_TRUE(approach.seat.is_touched());
  EXPECT_NEAR(approach.pad_availability(), 1.0, 1e-12);
  EXPECT_GT(approach.follower.plan_s(), kTouch + 0.2);  // the plan goes on
}

TEST(SeatApproach, DoesNotWaitWhereTheFeetCannotHoldTheBody) {
  Approach approach;
  approach.go_on(600, 0.0, /*margin=*/-0.01);  // before the seat is out of reach
  EXPECT_NEAR(approach.follower.plan_s(), 0.6, 1e-6);
  EXPECT_LT(approach.follower.chair_shift(), -0.01);
  EXPECT_EQ(approach.pad_availability(), 0.0);
}

TEST(SeatApproach, WithoutAWayBackTheHipsGoDownFaster) {
  const auto way_in = [](double margin) {
    Approach approach;
    approach.go_on(600, 0.0);
    const double before = approach.follower.chair_shift();
    approach.go_on(100, 0.0, margin);
    return before - approach.follower.chair_shift();
  };
  EXPECT_NEAR(way_in(0.05), 0.1 * 0.065 * 0.76, 5e-4);
  EXPECT_NEAR(way_in(-0.01), 0.1 * 0.4 * 0.76, 5e-3);
}

TEST(SeatApproach, TheHipsRestOnASeatThatIsTouchedEarlyWithoutAJump) {
  auto plan = touching_plan();
  for (Eigen::Index i = 0; i < 101; ++i)
    plan->trajectory.q(2, i) += 0.03 - 6e-4 * static_cast<double>(std::min<Eigen::Index>(i, 50));
  PlanFollower follower(test::sitting_robot(), {.plan = plan}, 3.5);
  Approach approach;
  RiseContacts contacts(test::sitting_robot(), {}, follower.plan(), follower.sample());
  double before = 0.0;
  for (int i = 0; i < 480; ++i) {  // the plan comes down by 6 cm/s; the seat bears from 0.3 s on
    const SensorReadings readings = test::sitting_readings(1e-3 * i, i < 300 ? 0.0 : 0.1 * test::sitting_weight());
    approach.terms.update(readings.state);
    follower.update(readings);
    contacts.update(approach.terms, readings, follower.sample(), approach.loads, approach.fallbacks);
    approach.seat.update(1.0, 0.05, follower, contacts);
    if (i > 0) {
      EXPECT_LT(std::abs(follower.hip_height() - before), 2e-4) << i;
    }
    if (i > 400) {
      EXPECT_NEAR(follower.hip_height(), before, 2e-6) << i;
    }
    before = follower.hip_height();
  }
  EXPECT_TRUE(approach.seat.is_touched());
  EXPECT_GT(follower.chair_shift(), 2e-3);
}

TEST(SeatApproach, ALoadFarFromTheSeatIsNoTouch) {
  Approach approach;
  approach.plan->contacts.chair_height_m = 0.30;  // the hips are at 0.45 m
  PlanFollower follower(test::sitting_robot(), {.plan = approach.plan}, 3.5);
  for (int i = 0; i < 300; ++i) {
    const SensorReadings readings = test::sitting_readings(1e-3 * i, 0.2 * test::sitting_weight());
    approach.terms.update(readings.state);
    follower.update(readings);
    approach.contacts.update(approach.terms, readings, follower.sample(), approach.loads, approach.fallbacks);
    approach.seat.update(1.0, 0.05, follower, approach.contacts);
  }
  EXPECT_FALSE(approach.seat.is_touched());
}

}  // namespace
}  // namespace aplomb
