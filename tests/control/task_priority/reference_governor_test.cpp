#include "aplomb/control/task_priority/reference_governor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/control/joints/leg_springs.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

/// HOAP-3 on both feet, with a governor whose legs are at rest and whose drive loads are set by each test.
struct Governed {
  void follow(const Eigen::Vector3d& offset, int ticks) {
    for (int tick = 0; tick < ticks; ++tick) {
      governor.follow({.position = com + offset},
                      {.rates = rest, .speed_limits = speed_limits, .drives = drives, .lost_authority = 0.0});
    }
  }
  /// Makes the static torque of every leg joint this fraction of its limit.
  void load_legs(double fraction) {
    Eigen::VectorXd torque = Eigen::VectorXd::Zero(robot.num_joints());
    const std::vector<bool> carries = carries_body(robot);
    for (int i = 0; i < robot.num_joints(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      if (carries[index]) torque[i] = fraction * robot.joints()[index].effort;
    }
    drives.hold(torque);
  }

  RobotModel robot = test::our_robot("hoap3");
  StandingKinematics kinematics{robot, robot.posture("half_sitting"), {}};
  StandingSupport support{robot, kinematics};
  Eigen::Vector3d com = kinematics.com();
  double height = com.z() - kinematics.sole_centre(kRight).z();
  TaskPriority::Settings settings;
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(robot.num_joints());
  Eigen::VectorXd speed_limits = Eigen::VectorXd::Ones(robot.num_joints());
  DriveLoads drives{robot, Eigen::VectorXd::Constant(robot.num_joints(), 400.0), 1.0};
  ReferenceGovernor governor{robot, support, settings, com, height};
};

TEST(StandingSupport, ClampsToTheScaledSolesBetweenBothFeet) {
  Governed robot;
  const Eigen::Vector2d right = robot.kinematics.sole_centre(kRight).head<2>();
  const Eigen::Vector2d left = robot.kinematics.sole_centre(kLeft).head<2>();
  const Eigen::Vector2d middle = 0.5 * (left + right), half = 0.5 * robot.support.sole_size(kRight);
  EXPECT_LT((robot.support.clamp(middle, 0.5) - middle).norm(), 1e-12);
  // The soles are parallel to the axes.
  const Eigen::Vector2d ahead = robot.support.clamp(middle + Eigen::Vector2d(1.0, 0.0), 0.5);
  EXPECT_LT((ahead - middle - Eigen::Vector2d(0.5 * half.x(), 0.0)).norm(), 1e-6);
  const Eigen::Vector2d beside = robot.support.clamp(left + Eigen::Vector2d(0.0, 1.0), 1.0);
  EXPECT_LT((beside - left - Eigen::Vector2d(0.0, half.y())).norm(), 1e-6);
}

TEST(StandingSupport, SharesTheWeightByTheLeverRuleOrPutsItOnThePlantedFoot) {
  Governed robot;
  const Eigen::Vector2d right = robot.kinematics.sole_centre(kRight).head<2>();
  const Eigen::Vector2d left = robot.kinematics.sole_centre(kLeft).head<2>();
  EXPECT_NEAR(robot.support.left_share(0.3 * left + 0.7 * right), 0.3, 1e-12);
  robot.support.set_lifted(kLeft, true);
  EXPECT_EQ(robot.support.left_share(left), 0.0);
  EXPECT_EQ(robot.support.stance_width(), 0.0);
}

TEST(ReferenceGovernor, KeepsSpeedAndAccelerationWithinTheirLimitsWhenTheTargetJumps) {
  Governed robot;
  const double speed = robot.settings.com_speed * std::sqrt(kGravity * robot.height);
  const double acceleration =
      robot.settings.com_acceleration * robot.support.sole_size(kRight).x() * kGravity / robot.height;
  Eigen::Vector3d last = robot.governor.velocity();
  for (int tick = 0; tick < 2000; ++tick) {
    robot.follow({0.01, 0.01, -0.05}, 1);
    const Eigen::Vector3d velocity = robot.governor.velocity(), change = (velocity - last) / kControlPeriod;
    last = velocity;
    ASSERT_LE(velocity.head<2>().norm(), speed + 1e-12) << tick;
    ASSERT_LE(std::abs(velocity.z()), speed + 1e-12) << tick;
    ASSERT_LE(change.head<2>().norm(), acceleration + 1e-9) << tick;
    ASSERT_LE(std::abs(change.z()), 0.1 * kGravity + 1e-9) << tick;
  }
  EXPECT_LT((robot.governor.position() - robot.com - Eigen::Vector3d(0.01, 0.01, -0.05)).norm(), 1e-4);
}

TEST(ReferenceGovernor, StopsAtTheScaledSupport) {
  Governed robot;
  robot.follow({1.0, 0.0, 0.0}, 4000);
  EXPECT_TRUE(robot.governor.is_out_of_reach());
  const Eigen::Vector2d reached = robot.governor.position().head<2>();
  EXPECT_LT((robot.support.clamp(reached, robot.settings.com_reach) - reached).norm(), 1e-4);
  EXPECT_GT(reached.x(), robot.com.x());
}

TEST(ReferenceGovernor, HoldsTheReferenceWhileALegDriveIsAtItsTorqueLimitAndFreesItAfterwards) {
  Governed robot;
  const Eigen::Vector3d down(0.0, 0.0, -0.02);
  robot.follow({0.0, 0.0, 0.0}, 1);  // while the drives can hold the posture with ease
  robot.load_legs(1.0);
  robot.follow(down, 1000);
  EXPECT_LT((robot.governor.position() - robot.com).norm(), 1e-6);
  robot.load_legs(0.3);
  robot.follow(down, 2000);
  EXPECT_LT((robot.governor.position() - robot.com - down).norm(), 1e-4);
}

}  // namespace
}  // namespace aplomb
