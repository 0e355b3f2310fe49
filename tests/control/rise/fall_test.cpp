#include "aplomb/control/rise/fall.hpp"

#include <gtest/gtest.h>

namespace aplomb {
namespace {

constexpr double kHeight = 0.9;  // [m]

const RobotModel& robot() {
  static const RobotModel sarcos = RobotModel::load("sarcos_real");
  return sarcos;
}

Fall standing_fall() {
  return Fall(robot(), DriveGains::for_robot(robot(), robot().posture("half_sitting"), kHeight), kHeight);
}

/// Whether a robot falls that shows `tick` for 200 ms, and nothing for the 200 ms before and after.
bool falls(const Fall::Tick& tick, int ticks = 200) {
  Fall fall = standing_fall();
  for (int i = 0; i < 200; ++i) fall.update({.capture_margin = 0.05});
  EXPECT_FALSE(fall.is_falling());
  for (int i = 0; i < ticks; ++i) fall.update(tick);
  for (int i = 0; i < 200; ++i) fall.update({.capture_margin = 0.05});
  return fall.is_falling();
}

TEST(Fall, OnlyAStateWithoutAWayBackIsAFall) {
  EXPECT_FALSE(falls({.capture_margin = -0.15 * kHeight}));
  EXPECT_TRUE(falls({.capture_margin = -0.25 * kHeight}));
  EXPECT_FALSE(falls({.capture_margin = -0.25 * kHeight}, 20));
  EXPECT_FALSE(falls({.is_seat_below = true, .capture_margin = -0.25 * kHeight}));
  EXPECT_FALSE(falls({.capture_margin = 0.05, .lean = 0.6}));
  EXPECT_TRUE(falls({.is_seat_below = true, .capture_margin = 0.05, .lean = 1.0}));
}

TEST(Fall, AStateThatIsLostForGoodIsAFallOffTheSeat) {
  EXPECT_TRUE(falls({.is_state_lost = true}));
  EXPECT_FALSE(falls({.is_state_lost = true}, 50));
  EXPECT_FALSE(falls({.is_state_lost = true, .is_seat_below = true}));
}

TEST(Fall, TorquesFadeAndTheNamedJointsAreDrawnToTheirPosture) {
  Fall fall = standing_fall();
  Command before(robot().num_joints());
  before.torque.setConstant(10.0);
  double last = 10.0;
  for (int i = 0; i < 200; ++i) {
    fall.update({.is_state_lost = true, .before = &before});
    if (!fall.is_falling()) continue;
    EXPECT_LE(fall.command().torque[0], last);
    EXPECT_GT(fall.command().torque[0], last - 0.5);
    last = fall.command().torque[0];
  }
  EXPECT_EQ(last, 0.0);
  const Command& command = fall.command();
  EXPECT_GT(command.damping.minCoeff(), 0.0);
  const auto& named = robot().description().postures.at("fall_posture");
  for (int i = 0; i < robot().num_joints(); ++i) {
    const auto found = named.find(robot().joints()[static_cast<std::size_t>(i)].name);
    EXPECT_EQ(command.stiffness[i] > 0.0, found != named.end());
    if (found == named.end()) continue;
    EXPECT_EQ(command.position[i], found->second);
  }
}

TEST(Fall, RobotsWithoutAFallPostureAreDampedAlone) {
  const RobotModel sarcos = RobotModel::load("sarcos");
  const Fall fall(sarcos, DriveGains::for_robot(sarcos, sarcos.posture("half_sitting"), kHeight), kHeight);
  EXPECT_TRUE(fall.command().stiffness.isZero());
}

}  // namespace
}  // namespace aplomb
