#include "aplomb/link/command_gate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// A robot at rest in a gate with a watchdog of ten ticks.
struct Gated {
  explicit Gated(const std::string& name = "coman")
      : robot(test::our_robot(name)),
        state(robot.posture("half_sitting")),
        gate(robot, {}),
        command(robot.num_joints()) {
    command.position = joint_positions(state.q);
  }
  double effort(int joint) const { return robot.joints()[static_cast<std::size_t>(joint)].effort; }
  const Command& answer(std::uint64_t tick) {
    gate.offer(tick, command);
    return gate.pass(tick, state);
  }

  RobotModel robot;
  RobotState state;
  CommandGate gate;
  Command command;
};

TEST(CommandGate, PassesTimelyCommandsToTheLastBit) {
  Gated gated;
  for (std::uint64_t tick = 1; tick <= 50; ++tick) {
    gated.command.torque.setConstant(0.1 * static_cast<double>(tick));
    gated.command.foot_cop[kLeft] = {0.01, 0.02};
    const Command& passed = gated.answer(tick);
    EXPECT_EQ(passed.torque, gated.command.torque);
    EXPECT_EQ(passed.foot_cop[kLeft], gated.command.foot_cop[kLeft]);
  }
  EXPECT_EQ(gated.gate.counts().late, 0);
  EXPECT_EQ(gated.gate.counts().limited, 0);
  EXPECT_EQ(gated.gate.counts().refused, 0);
}

TEST(CommandGate, DampsWithinTwentyMillisecondsOfTheLastCommandAndForGood) {
  Gated gated;
  gated.command.stiffness.setConstant(100.0);
  gated.command.torque.setConstant(1.0);
  for (std::uint64_t tick = 1; tick <= 100; ++tick) gated.answer(tick);
  std::uint64_t tick = 101;
  for (; !gated.gate.is_damping(); ++tick) {
    ASSERT_LT(tick, 200u);
    const Command& passed = gated.gate.pass(tick, gated.state);
    if (!gated.gate.is_damping()) {
      EXPECT_EQ(passed.torque, gated.command.torque);  // bridged
    }
  }
  EXPECT_LE(gated.gate.damped_since() - gated.gate.last_answered(), 20u);
  const Command& passed = gated.answer(tick);  // too late
  EXPECT_TRUE(passed.torque.isZero());
  EXPECT_TRUE(passed.stiffness.isZero());
  EXPECT_GT(passed.damping.minCoeff(), 0.0);
}

TEST(CommandGate, DampsARobotWhoseControllerNeverAnswersOrLeaves) {
  Gated silent;
  for (std::uint64_t tick = 1; tick <= 20; ++tick) {
    EXPECT_TRUE(silent.gate.pass(tick, silent.state).stiffness.isZero());
  }
  EXPECT_TRUE(silent.gate.is_damping());
  Gated left;
  left.command.stiffness.setConstant(100.0);
  left.answer(1);
  left.gate.controller_left();
  EXPECT_TRUE(left.gate.pass(2, left.state).stiffness.isZero());
}

TEST(CommandGate, RefusesWhatIsNotFiniteRepeatedOrInAnswerToNothing) {
  Gated gated;
  gated.command.torque.setConstant(1.0);
  gated.answer(1);
  Command bad = gated.command;
  bad.torque[3] = std::numeric_limits<double>::quiet_NaN();
  gated.gate.offer(2, bad);
  EXPECT_EQ(gated.gate.counts().refused, 1);
  Command other = gated.command;
  other.torque.setConstant(2.0);
  gated.gate.offer(1, other);  // a repetition
  EXPECT_EQ(gated.gate.counts().refused, 2);
  gated.gate.offer(500, other);  // a reading that has not been sent: it would hold off the watchdog
  EXPECT_EQ(gated.gate.counts().refused, 3);
  EXPECT_EQ(gated.gate.pass(2, gated.state).torque, gated.command.torque);
  EXPECT_EQ(gated.gate.counts().late, 1);
}

TEST(CommandGate, LimitsHowFastATorqueChanges) {
  Gated gated;
  gated.answer(1);
  gated.command.torque[0] = 10.0 * gated.effort(0);
  double last = 0.0;
  for (std::uint64_t tick = 2; tick <= 10; ++tick) {
    // Beyond its limit the drive itself holds the torque.
    const double torque = std::min(gated.answer(tick).torque[0], gated.effort(0));
    EXPECT_LE(torque - last, 0.2 * gated.effort(0) * (1.0 + 1e-12));  // 200 /s for 1 ms
    last = torque;
  }
  EXPECT_GT(gated.gate.counts().limited, 3);
  EXPECT_EQ(last, gated.effort(0));  // and it arrives
}

TEST(CommandGate, LimitsTheTorqueThatASpringAsksForToo) {
  Gated gated;
  gated.command.stiffness.setConstant(1000.0);
  gated.answer(1);
  gated.command.position[0] += 1.0;
  const Command& passed = gated.answer(2);
  const double torque = passed.torque[0] + passed.stiffness[0] * (passed.position[0] - gated.state.q[kBaseQ]);
  EXPECT_NEAR(torque, std::min(0.2 * gated.effort(0), 1000.0), 1e-9);
}

TEST(CommandGate, LimitsAServosTargetToTheSpeedOfItsJoint) {
  Gated gated("hoap3");
  const double speed = gated.robot.joints()[0].velocity;
  ASSERT_GT(speed, 0.0);
  gated.answer(1);
  const double before = gated.command.position[0];
  gated.command.position[0] += 1.0;
  EXPECT_NEAR(gated.answer(2).position[0], before + 1e-3 * speed, 1e-12);
}

TEST(CommandGate, AFaultySensorDoesNotReachTheDrives) {
  Gated gated;
  gated.command.stiffness.setConstant(100.0);
  gated.answer(1);
  gated.state.q[kBaseQ + 2] = std::numeric_limits<double>::quiet_NaN();
  gated.state.v[kBaseV + 2] = std::numeric_limits<double>::infinity();
  for (std::uint64_t tick = 2; tick <= 40; ++tick) {
    const Command& passed = gated.gate.pass(tick, gated.state);
    EXPECT_TRUE(passed.torque.allFinite() && passed.position.allFinite());
  }
}

TEST(CommandGate, NeverAllocates) {
  SKIP_UNLESS_COUNTED();
  Gated gated;
  gated.answer(1);
  const test::AllocationCount allocations;
  for (std::uint64_t tick = 2; tick <= 60; ++tick) {
    if (tick < 30) gated.gate.offer(tick, gated.command);
    gated.gate.pass(tick, gated.state);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(CommandGate, AWatchdogBeyondTwentyMillisecondsIsRefused) {
  const RobotModel robot = test::our_robot("coman");
  EXPECT_THROW(CommandGate(robot, {.watchdog_ticks = 21}), InvalidValue);
  EXPECT_THROW(CommandGate(robot, {.watchdog_ticks = 0}), InvalidValue);
  EXPECT_THROW(CommandGate(robot, {.torque_rate = 0.0}), InvalidValue);
}

}  // namespace
}  // namespace aplomb
