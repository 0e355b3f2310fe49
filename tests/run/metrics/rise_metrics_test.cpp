#include "aplomb/run/metrics/rise_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

/// Metrics of a plan of one second from 1 s on, with these forces of seat and left hand.
Metrics with_forces(double seat_n, double planned_seat_n, const Eigen::Vector3d& hand,
                    const Eigen::Vector3d& planned_hand) {
  const RobotModel robot = RobotModel::load("coman");
  RiseMetrics rise(robot, PlanPlayer(test::still_plan(robot), 1.0, 1.0));
  for (int tick = 1; tick <= 3000; ++tick) {
    test::StandingTick standing(robot);
    standing.now.time_s = 1e-3 * tick;
    // Before and after the plan nothing counts.
    const bool is_planned = standing.now.time_s >= 1.0 && standing.now.time_s <= 2.0;
    standing.now.seat_force = is_planned ? seat_n : 999.0;
    standing.now.planned_seat_force = planned_seat_n;
    standing.now.hand_force[kLeft] = hand;
    standing.now.planned_hand_force[kLeft] = planned_hand;
    rise.add(standing.now, standing.state, standing.torque);
  }
  Metrics metrics;
  rise.finish(metrics);
  return metrics;
}

TEST(RiseMetrics, ForcesAreComparedWithThePlannedOnes) {
  const Metrics metrics = with_forces(230.0, 200.0, {3.0, 0.0, 10.0}, {0.0, 0.0, 6.0});
  EXPECT_NEAR(metrics.number("seat_force_error_rms_n").value(), 30.0, 1e-9);
  EXPECT_NEAR(metrics.number("hand_force_error_rms_n").value(), 5.0, 1e-9);
}

TEST(RiseMetrics, AnImpactIsTheForceThatStopsTheRobot) {
  const RobotModel robot = RobotModel::load("coman");
  RiseMetrics rise(robot, PlanPlayer(test::still_plan(robot), 1.0, 1.0));
  Metrics before;
  rise.finish(before);
  EXPECT_FALSE(before.number("impact_peak_n").has_value());
  // It falls freely by 2 m/s, and is stopped within 0.1 s: 20 m/s^2 and its weight.
  const double mass = robot.mass();
  for (int tick = 0; tick < 500; ++tick) {
    test::StandingTick standing(robot);
    const double time_s = 1e-3 * tick;
    const double speed = std::min(9.81 * time_s, 2.0) - 20.0 * std::clamp(time_s - 0.3, 0.0, 0.1);
    standing.now.com_velocity = {0.0, 0.0, -speed};
    rise.add_fall(standing.now);
  }
  Metrics after;
  rise.finish(after);
  EXPECT_NEAR(after.number("impact_peak_n").value(), mass * (20.0 + 9.81), 1e-3 * mass);
}

TEST(RiseMetrics, PlansWithoutWrenchesHaveNoForceErrors) {
  const Metrics metrics = with_forces(230.0, NAN, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(NAN));
  EXPECT_FALSE(metrics.number("seat_force_error_rms_n").has_value());
  EXPECT_FALSE(metrics.number("hand_force_error_rms_n").has_value());
}

}  // namespace
}  // namespace aplomb
