#include "aplomb/control/partial_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "aplomb/control/partial_force/partial_force_report.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/sim/simulation.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

/// CoMan with its right hand at a wall of springs, under partial force control; the contacts are the paper's.
struct AtTheWall {
  explicit AtTheWall(PartialForce::Law law, const std::vector<Push>& pushes = {}, double solve_budget = 0.0)
      : robot(test::our_robot("coman")),
        start(robot.posture("hands_out")),
        simulation(robot, world(), {.pushes = pushes}),
        controller(robot, start, settings(law, solve_budget)) {
    simulation.start(start);
  }
  Eigen::Vector3d hand() const {
    return test::pose_of(robot, start, robot.description().roles.hand[kRight]).translation();
  }
  World world() const {
    const Surface surface{.friction = 0.5, .spring = Spring{2e5, 1e3}};
    return {.floor = surface, .walls = {{.position = hand(), .normal = Eigen::Vector3d::UnitY(), .surface = surface}}};
  }
  PartialForce::Settings settings(PartialForce::Law law, double solve_budget) const {
    PartialForce::Settings settings{.law = law,
                                    .com_reference = ComReference::hold(test::terms_at(robot, start).com())};
    settings.com_reference.leave_height_free();
    settings.hands[kRight] = PartialForce::HandSettings{
        .wall_point = hand(), .normal = Eigen::Vector3d::UnitY(), .force = {.force = 20.0, .ramp_s = 0.3}};
    settings.solve_budget = solve_budget;
    return settings;
  }
  const Command& tick() {
    simulation.read(readings);
    const Command& command = controller.step(readings);
    simulation.step(command);
    return command;
  }
  RobotModel robot;
  RobotState start;
  Simulation simulation;
  PartialForce controller;
  SensorReadings readings;
};

TEST(PartialForce, HoldsTheForceOfAHandWithoutMeasuringIt) {
  for (const auto law : {PartialForce::Law::closed_form, PartialForce::Law::bounded}) {
    AtTheWall at(law);
    for (int i = 0; i < 600; ++i) at.tick();
    const Eigen::Isometry3d T_world_hand =
        test::pose_of(at.robot, at.simulation.state(), at.robot.description().roles.hand[kRight]);
    const Eigen::Vector3d force = T_world_hand.linear() * at.simulation.hand_wrench()[kRight].force;
    EXPECT_LT((force - Eigen::Vector3d(0.0, 20.0, 0.0)).norm(), 0.01);
  }
}

TEST(PartialForce, ComputesTheMeasuredForcesOfTheFeet) {
  AtTheWall at(PartialForce::Law::bounded);
  for (int i = 0; i < 600; ++i) at.tick();
  for (int side : {kLeft, kRight}) {
    const double measured = at.simulation.foot_wrench()[side].force.z();
    EXPECT_NEAR(at.controller.solution().force[static_cast<std::size_t>(side)][2], measured, 0.5);
  }
}

TEST(PartialForce, StepDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  for (const auto law : {PartialForce::Law::closed_form, PartialForce::Law::bounded}) {
    AtTheWall at(law, {{.link = "DWYTorso",
                        .at = Push::At::robot_com,
                        .peak_force = Eigen::Vector3d(100.0, 0.0, 0.0),
                        .duration_s = 0.1}});
    std::vector<SensorReadings> recorded;
    bool was_limited = false;
    for (int i = 0; i < 300; ++i) {
      at.tick();
      recorded.push_back(at.readings);
      was_limited = was_limited || at.controller.tick().law == ForceHierarchy::Law::bounded;
    }
    EXPECT_EQ(was_limited, law == PartialForce::Law::bounded);
    const test::AllocationCount allocations;
    for (const SensorReadings& readings : recorded) at.controller.step(readings);
    EXPECT_EQ(allocations.since_start(), 0);
  }
}

TEST(PartialForce, StaysFiniteWhateverTheSensorsRead) {
  AtTheWall at(PartialForce::Law::bounded);
  at.tick();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 200; ++i) {
    SensorReadings wild = at.readings;
    wild.state = test::random_state(at.robot, static_cast<unsigned>(i));
    wild.state.v *= i % 3 == 0 ? 100.0 : 1.0;
    for (int side : {kLeft, kRight}) wild.foot_wrench[side].force.setConstant(i % 5 == side ? kNan : 1e3 * (i % 7));
    if (i % 11 == 0) wild.state.q[9] = kNan;
    const Command& command = at.controller.step(wild);
    ASSERT_TRUE(command.torque.allFinite() && command.position.allFinite()) << i;
  }
}

TEST(PartialForce, StandsOnItsFallbackWhenNoiseCostsMoreThanItsBudget) {
  AtTheWall at(PartialForce::Law::bounded, {}, /*solve_budget=*/4.0);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0.0, 0.1);  // [m/s], far beyond what a base velocity estimate has
  int misses = 0;
  for (int i = 0; i < 600; ++i) {
    at.simulation.read(at.readings);
    for (int axis = 0; axis < 3; ++axis) at.readings.state.v[axis] += noise(random);
    const Command& command = at.controller.step(at.readings);
    EXPECT_TRUE(command.torque.allFinite());
    for (int joint = 0; joint < at.robot.num_joints(); ++joint) {
      EXPECT_LE(std::abs(command.torque[joint]), at.robot.joints()[static_cast<std::size_t>(joint)].effort + 1e-6);
    }
    ASSERT_TRUE(command.status == CommandStatus::solved || command.status == CommandStatus::deadline_missed);
    misses += command.status == CommandStatus::deadline_missed;
    at.simulation.step(command);
  }
  EXPECT_GT(misses, 100);
  EXPECT_LT((at.simulation.state().q.head<3>() - at.start.q.head<3>()).norm(), 0.05);
}

TEST(PartialForce, MovesItsHandSlowlyWhenThereIsNoWall) {
  AtTheWall at(PartialForce::Law::bounded);
  Simulation nothing(at.robot, {.floor = {.friction = 0.8, .spring = Spring{2e5, 1e3}}});
  nothing.start(at.start);
  const FrameId hand = at.robot.frame(at.robot.description().roles.hand[kRight]);
  for (int i = 0; i < 1000; ++i) {
    nothing.read(at.readings);
    nothing.step(at.controller.step(at.readings));
    const RobotTerms terms = test::terms_at(at.robot, nothing.state(), {hand});
    EXPECT_LT(terms.frame(hand).velocity.head<3>().norm(), 0.1);
  }
}

TEST(PartialForce, HoldsItsCommandWithAStatusWhileAJointIsLost) {
  AtTheWall at(PartialForce::Law::bounded);
  const Eigen::VectorXd torque = at.tick().torque;
  at.simulation.read(at.readings);
  at.readings.is_lost[static_cast<std::size_t>(Sensor::joint_velocity)] = true;
  const Command& held = at.controller.step(at.readings);
  EXPECT_EQ(held.status, CommandStatus::reading_missing);
  EXPECT_EQ(held.torque, torque);
}

TEST(PartialForce, RefusesARobotWithPositionControlledJoints) {
  const RobotModel robot = test::our_robot("hoap3");
  EXPECT_THROW(PartialForce(robot, robot.posture("half_sitting"), {}), InvalidValue);
}

}  // namespace
}  // namespace aplomb
