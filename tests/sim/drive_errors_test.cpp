#include "aplomb/sim/drive_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// A falling robot, whose joints carry no weight.
class FallingRobot : public testing::Test {
 protected:
  RobotModel robot_ = RobotModel::load("coman");
  Command command_{robot_.num_joints()};

  std::unique_ptr<Simulation> falling(const DriveErrors& errors, std::uint64_t seed = 1) {
    auto simulation = std::make_unique<Simulation>(robot_, World{});
    simulation->set_drive_errors(errors, seed);
    RobotState state = robot_.posture("half_sitting");
    state.q[2] += 5.0;
    simulation->start(state);
    return simulation;
  }
  /// Speed of a joint after 20 ms with a torque on it that is this fraction of its limit.
  double speed_with(const DriveErrors& errors, int joint, double fraction) {
    const auto simulation = falling(errors);
    command_.torque.setZero();
    command_.torque[joint] = fraction * robot_.joints()[static_cast<std::size_t>(joint)].effort;
    for (int tick = 0; tick < 20; ++tick) simulation->step(command_);
    return std::abs(joint_velocities(simulation->state().v)[joint]);
  }
};

TEST_F(FallingRobot, AJointSticksBelowItsStaticFrictionAndSlidesAboveIt) {
  const DriveErrors errors{.coulomb_friction = 0.03, .stiction_ratio = 1.3};
  for (int joint : {0, 3, 8}) {
    EXPECT_LT(speed_with(errors, joint, 0.035), 2e-3) << joint;
    EXPECT_GT(speed_with(errors, joint, 0.06), 0.02) << joint;
    EXPECT_GT(speed_with({}, joint, 0.035), 0.02) << joint;
  }
}

TEST_F(FallingRobot, TorqueFollowsItsCommandWithTheLagOfItsBandwidth) {
  const auto simulation = falling({.torque_bandwidth_hz = 50.0});
  simulation->step(command_);
  command_.torque[2] = 1.0;
  for (int tick = 1; tick <= 10; ++tick) {
    simulation->step(command_);
    EXPECT_NEAR(simulation->joint_torque()[2], 1.0 - std::exp(-2.0 * std::numbers::pi * 50.0 * 1e-3 * tick), 1e-9);
  }
}

TEST_F(FallingRobot, RippleStaysWithinItsAmplitudeAndDependsOnTheSeed) {
  const DriveErrors errors{.torque_ripple = 0.01};
  const auto first = falling(errors, 1), same = falling(errors, 1), other = falling(errors, 2);
  command_.torque.setConstant(1.0);
  for (const auto* simulation : {&first, &same, &other}) (*simulation)->step(command_);
  EXPECT_LE((first->joint_torque().array() - 1.0).abs().maxCoeff(), 0.01);
  EXPECT_GT((first->joint_torque().array() - 1.0).abs().maxCoeff(), 0.005);
  EXPECT_EQ(first->joint_torque(), same->joint_torque());
  EXPECT_NE(first->joint_torque(), other->joint_torque());
}

TEST_F(FallingRobot, WithoutErrorsNothingChanges) {
  Simulation plain(robot_, World{});
  RobotState state = robot_.posture("half_sitting");
  state.q[2] += 5.0;
  plain.start(state);
  const auto ideal = falling({});
  command_.torque.setConstant(0.5);
  for (int tick = 0; tick < 20; ++tick) {
    plain.step(command_);
    ideal->step(command_);
  }
  EXPECT_EQ(plain.state().q, ideal->state().q);
}

}  // namespace
}  // namespace aplomb
