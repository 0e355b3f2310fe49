#include "aplomb/control/step/stepping.hpp"

#include <gtest/gtest.h>

#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/control/step/step_reach.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/sim/simulation.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

/// A robot that stands in simulation, may step, and is pushed at its CoM for 0.1 s from 0.1 s on.
struct Pushed {
  Pushed(const std::string& name, const Eigen::Vector3d& force, bool stepping = true)
      : robot(test::our_robot(name)),
        start(robot.posture("half_sitting")),
        simulation(robot, {},
                   {.pushes = {{.link = robot.description().roles.trunk,
                                .at = Push::At::robot_com,
                                .peak_force = force,
                                .start_s = 0.1,
                                .duration_s = 0.1}}}),
        controller(robot, start, settings(robot, start, stepping)) {
    simulation.start(start);
  }
  static MomentumBalance::Settings settings(const RobotModel& robot, const RobotState& start, bool stepping) {
    MomentumBalance::Settings settings;
    settings.stepping = stepping;
    settings.com_reference = ComReference::feet_midpoint(test::terms_at(robot, start).com(), {});
    return settings;
  }
  void run(double until_s) {
    for (double time_s = 0.0; time_s < until_s; time_s += 1e-3) {
      simulation.read(readings);
      simulation.step(controller.step(readings));
    }
  }
  double steps() const { return *controller.report().metrics.number("steps_taken"); }
  /// Height of the CoM at the end, over that at the start.
  double height() const {
    return test::terms_at(robot, readings.state).com().z() / test::terms_at(robot, start).com().z();
  }
  RobotModel robot;
  RobotState start;
  Simulation simulation;
  MomentumBalance controller;
  SensorReadings readings;
};

TEST(Stepping, StandsAfterAPushThatFellsItWithoutSteps) {
  Pushed with("balancer", {420.0, 0.0, 0.0}), without("balancer", {420.0, 0.0, 0.0}, false);
  with.run(2.5);
  without.run(2.5);
  EXPECT_LT(without.height(), 0.5);
  EXPECT_GT(with.height(), 0.85);
  EXPECT_GE(with.steps(), 1.0);
  EXPECT_EQ(with.controller.report().notes.size(), static_cast<std::size_t>(with.steps()));
  // It has come to rest: the capture point is back inside.
  EXPECT_GT(with.controller.tick().capture_margin, 0.0);
}

TEST(Stepping, TakesNoStepForAPushThatTheCopHolds) {
  for (const Eigen::Vector3d& force :
       {Eigen::Vector3d(150.0, 0.0, 0.0), Eigen::Vector3d(-150.0, 0.0, 0.0), Eigen::Vector3d(0.0, 180.0, 0.0)}) {
    Pushed robot("balancer", force);
    robot.run(1.5);
    EXPECT_EQ(robot.steps(), 0.0) << force.transpose();
    EXPECT_GT(robot.height(), 0.95);
  }
}

TEST(Stepping, DoesNotAllocateWhileItSteps) {
  SKIP_UNLESS_COUNTED();
  Pushed robot("balancer", {420.0, 0.0, 0.0});
  robot.run(0.1);
  std::int64_t allocations = 0;
  for (int i = 0; i < 900; ++i) {
    robot.simulation.read(robot.readings);
    const test::AllocationCount count;
    const Command& command = robot.controller.step(robot.readings);
    allocations += count.since_start();
    robot.simulation.step(command);
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_GE(robot.steps(), 1.0);
}

TEST(StepReach, FollowsTheLegs) {
  const RobotModel robot = test::our_robot("balancer");
  const RobotState start = robot.posture("half_sitting");
  const StepReach reach(robot, start);
  const double height = test::terms_at(robot, start).com().z();
  // Standing, the leg (0.36 + 0.36 m, at most 98 % straight) reaches the less far the higher the CoM is.
  EXPECT_GT(reach.radius(height), 0.1);
  EXPECT_LT(reach.radius(height), 0.72);
  EXPECT_GT(reach.radius(0.9 * height), reach.radius(height));
  for (double radius : {0.1, 0.2, 0.3, 0.4}) EXPECT_NEAR(reach.radius(reach.com_height(radius)), radius, 1e-9);
  EXPECT_NEAR(reach.start_width(), 0.18, 1e-6);  // of the hips, which are above the feet
  EXPECT_NEAR(reach.least_width(), 1.25 * 0.12, 1e-9);
}

}  // namespace
}  // namespace aplomb
