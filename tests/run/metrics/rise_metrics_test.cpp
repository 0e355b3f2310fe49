#include "aplomb/run/metrics/rise_metrics.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "run/metrics/small_plan.hpp"

namespace aplomb {
namespace {

/// Reason of the failure of three seconds with the seat force `seat_n` over time.
std::string failure(const std::function<double(double time_s)>& seat_n) {
  const RobotModel robot = RobotModel::load("coman");
  RiseMetrics rise(robot, PlanPlayer(test::still_plan(robot), 1.0, 1.0));
  for (int tick = 1; tick <= 4500; ++tick) {
    test::StandingTick standing(robot);
    standing.now.time_s = 1e-3 * tick;
    standing.now.seat_force = seat_n(standing.now.time_s);
    rise.add(standing.now, standing.state, standing.torque);
  }
  return rise.reason();
}

TEST(RiseMetrics, ARobotThatStaysOnTheSeatDidNotLeaveIt) {
  EXPECT_EQ(failure([](double) { return 200.0; }), "The robot did not leave the seat.");
  // Contacts chatter: 50 ms without load are no seat-off.
  EXPECT_EQ(failure([](double time_s) { return time_s > 2.0 && time_s < 2.05 ? 0.0 : 200.0; }),
            "The robot did not leave the seat.");
}

TEST(RiseMetrics, ARobotThatFallsBackOnTheSeatIsSaidToHaveLeftIt) {
  EXPECT_EQ(failure([](double time_s) { return time_s > 2.0 && time_s < 3.0 ? 0.0 : 200.0; }),
            "The robot left the seat at 2.00 s and was back on it at 3.00 s.");
}

TEST(RiseMetrics, ARobotThatNeverTouchedTheSeatIsSaidNeverToHaveSat) {
  EXPECT_EQ(failure([](double) { return 0.5; }), "");  // it stands where the plan wants it
  EXPECT_EQ(failure([](double) { return 2.0; }), "The robot never sat on the seat.");
}

TEST(RiseMetrics, ARobotThatLeavesTheSeatStandsUp) {
  EXPECT_EQ(failure([](double time_s) { return time_s < 1.6 ? 200.0 : 0.0; }), "");
}

}  // namespace
}  // namespace aplomb
