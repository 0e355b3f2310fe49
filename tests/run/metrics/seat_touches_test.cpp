#include "aplomb/run/metrics/seat_touches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "run/metrics/small_plan.hpp"

namespace aplomb {
namespace {

const RobotModel& robot() {
  static const RobotModel coman = RobotModel::load("coman");
  return coman;
}

/// A plan that takes the seat half a second after its start; it sits from its start on where `from_start`.
std::shared_ptr<MotionPlan> touching_plan(bool from_start = false) {
  auto plan = test::still_plan(robot());
  ContactPlan::Contact seat{.site = ContactSite::seat, .start_s = 0.5, .end_s = 1.01};
  if (!from_start) plan->contacts.contacts.pop_back();
  if (from_start) plan->contacts.contacts.back().end_s = 0.2;
  plan->contacts.contacts.push_back(seat);
  return plan;
}

/// Metrics of three seconds in which the base comes down at `speed` [m/s], with a seat force over time.
Metrics touches(const std::shared_ptr<MotionPlan>& plan, double speed,
                const std::function<double(double time_s)>& seat_n) {
  SeatTouches touches(robot(), PlanPlayer(plan, 1.0, 1.0));
  test::StandingTick standing(robot());
  standing.state.q[6] = 1.0;
  for (int tick = 1; tick <= 3000; ++tick) {
    standing.now.time_s = 1e-3 * tick;
    standing.now.seat_force = seat_n(standing.now.time_s);
    standing.now.planned_seat_force = 200.0;
    standing.state.q[2] = 1.0 - speed * standing.now.time_s;
    touches.add(standing.now, standing.state);
  }
  Metrics metrics;
  touches.finish(metrics);
  return metrics;
}

TEST(SeatTouches, TheTouchHasItsTimeAndTheSpeedOfTheLowestPoint) {
  const Metrics metrics = touches(touching_plan(), 0.07, [](double time_s) { return time_s > 1.7 ? 200.0 : 0.0; });
  EXPECT_NEAR(metrics.number("seat_on_s").value(), 1.701, 1e-9);
  EXPECT_NEAR(metrics.number("seat_on_planned_s").value(), 1.5, 1e-9);
  EXPECT_NEAR(metrics.number("touch_velocity_m_per_s").value(), 0.07, 1e-9);
}

TEST(SeatTouches, ThePeakIsThatOfTheLowPassOverThePlannedLoad) {
  const auto bump = [](double time_s) {
    return time_s < 1.5 ? 0.0 : 200.0 + 100.0 * std::pow(std::sin(M_PI * std::min(time_s - 1.5, 1.0)), 2);
  };
  EXPECT_NEAR(touches(touching_plan(), 0.0, bump).number("seat_force_peak_ratio").value(), 1.5, 1e-3);
  // A single tick is chatter.
  const auto spike = [](double time_s) { return time_s < 1.5 ? 0.0 : std::abs(time_s - 2.0) < 5e-4 ? 600.0 : 200.0; };
  EXPECT_LT(touches(touching_plan(), 0.0, spike).number("seat_force_peak_ratio").value(), 1.4);
}

TEST(SeatTouches, ChatterOfASeatIsNoTouch) {
  const auto chatters = [](double time_s) { return std::fmod(time_s, 0.02) < 0.01 ? 200.0 : 0.0; };
  const Metrics metrics = touches(touching_plan(/*from_start=*/true), 0.07, chatters);
  EXPECT_FALSE(metrics.number("seat_on_s").has_value());
}

TEST(SeatTouches, APlanThatTakesNoSeatHasNoTouch) {
  const Metrics metrics = touches(test::still_plan(robot()), 0.07, [](double time_s) { return time_s > 2 ? 200 : 0; });
  EXPECT_FALSE(metrics.number("seat_on_s").has_value());
  EXPECT_FALSE(metrics.number("seat_on_planned_s").has_value());
  EXPECT_FALSE(metrics.number("touch_velocity_m_per_s").has_value());
  EXPECT_FALSE(metrics.number("seat_force_peak_ratio").has_value());
}

}  // namespace
}  // namespace aplomb
