#include "aplomb/control/joints/leg_springs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/control/joints/servo_gains.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

// A rigid body on two ankles:  m h² θ̈ + 2 d θ̇ + (2 k − m g h) θ = 0.
TEST(LegSprings, GiveTheSameSwayInUnitsOfItsFrequencyAtEverySize) {
  constexpr double kAlpha = 2.5, kRatio = 0.27;
  for (double size : {0.5, 1.0, 2.0}) {
    const double mass = 60.0 * std::pow(size, 3), height = 0.8 * size, omega0 = std::sqrt(kGravity / height);
    const double stiffness = leg_stiffness(kAlpha, mass, height), damping = leg_damping(kRatio, stiffness, omega0);
    const double inertia = mass * height * height;
    const double frequency = std::sqrt((2.0 * stiffness - mass * kGravity * height) / inertia);
    EXPECT_NEAR(frequency / omega0, std::sqrt(2.0 * kAlpha - 1.0), 1e-12);
    // The damping ratio that JointPd::Settings::leg_damping states.
    EXPECT_NEAR(2.0 * damping / inertia / (2.0 * frequency), kRatio * 2.0 * kAlpha / (2.0 * 2.0), 1e-12);
  }
}

TEST(LegSprings, HoldABodyUprightOnlyAboveHalfItsWeightsMoment) {
  const double mass = 60.0, height = 0.8, toppling = mass * kGravity * height;
  EXPECT_LT(2.0 * leg_stiffness(0.49, mass, height), toppling);
  EXPECT_GT(2.0 * leg_stiffness(0.51, mass, height), toppling);
}

TEST(LegSprings, AreDampedByOneRuleInServoAndDriveGains) {
  const RobotModel robot = test::our_robot("balancer");
  ASSERT_NE(robot.description().actuation.kind, Actuation::Kind::servo);
  const RobotState posture = robot.posture("half_sitting");
  constexpr double kHeight = 0.8;
  const double omega0 = std::sqrt(kGravity / kHeight);
  const ServoGains servo = ServoGains::for_robot(robot, posture, kHeight);
  const DriveGains drive = DriveGains::for_robot(robot, posture, kHeight);
  const std::vector<bool> carries = carries_body(robot);
  for (int i = 0; i < robot.num_joints(); ++i) {
    if (!carries[static_cast<std::size_t>(i)]) continue;
    EXPECT_EQ(servo.stiffness[i], leg_stiffness(16.0, robot.mass(), kHeight)) << i;
    EXPECT_EQ(servo.damping[i], leg_damping(0.3, servo.stiffness[i], omega0)) << i;
    EXPECT_EQ(drive.damping[i], leg_damping(0.36, drive.stiffness[i], omega0)) << i;
  }
}

}  // namespace
}  // namespace aplomb
