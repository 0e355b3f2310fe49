#include "aplomb/motion/profile/limited_motion.hpp"

#include <gtest/gtest.h>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/motion/profile/point_motion.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;
constexpr LimitedMotion::Limits kLimits{.speed = 0.3, .acceleration = 1.0};

TEST(LimitedMotion, FollowsATargetWithinTheLimitsExactly) {
  const FadedSine sine{.amplitude = 0.05, .period_s = 2.0, .ramp_s = 2.0};
  LimitedMotion motion(kLimits, Eigen::Vector3d::Zero());
  for (int tick = 0; tick < 6000; ++tick) {
    const AxisMotion target = sine.at(kPeriod * tick);
    motion.follow({target.position, 0.0, 0.0}, {target.velocity, 0.0, 0.0}, kPeriod);
    const AxisMotion next = sine.at(kPeriod * (tick + 1));
    ASSERT_LT(std::abs(motion.position().x() - next.position), 5e-5) << tick;
  }
}

TEST(LimitedMotion, ReachesAJumpingTargetWithinTheLimitsWithoutOvershoot) {
  LimitedMotion motion(kLimits, Eigen::Vector3d::Zero());
  const Eigen::Vector3d target(0.1, -0.05, 0.02);
  Eigen::Vector3d last = Eigen::Vector3d::Zero();
  for (int tick = 0; tick < 3000; ++tick) {
    motion.follow(target, Eigen::Vector3d::Zero(), kPeriod);
    ASSERT_LE(motion.velocity().norm(), kLimits.speed + 1e-12);
    ASSERT_LE((motion.velocity() - last).norm(), kLimits.acceleration * kPeriod + 1e-12);
    ASSERT_LE(motion.position().dot(target.normalized()), target.norm() + 1e-6);
    last = motion.velocity();
  }
  EXPECT_LT((motion.position() - target).norm(), 1e-6);
}

TEST(LimitedMotion, StaysNearAFollowerThatCannotKeepUp) {
  LimitedMotion motion(kLimits, Eigen::Vector3d::Zero());
  for (int tick = 0; tick < 1000; ++tick) {
    motion.follow({1.0, 0.0, 0.0}, Eigen::Vector3d::Zero(), kPeriod);
    motion.keep_near(Eigen::Vector3d::Zero(), 0.01);
    ASSERT_LE(motion.position().norm(), 0.01 + 1e-12);
  }
  EXPECT_LT(motion.velocity().norm(), 1e-12);
}

TEST(PointMotion, HasTheVelocityOfItsPosition) {
  PointMotion motion;
  motion.circle = {.radius = 0.1, .period_s = 1.5, .begin_s = 0.2, .ramp_s = 0.7};
  motion.points = {{.time_s = 1.0, .offset = {0.1, 0.0, 0.2}}, {.time_s = 2.0, .offset = {0.0, 0.0, 0.0}}};
  for (double time = 0.05; time < 3.0; time += 0.0371) {
    const double h = 1e-5;
    const Eigen::Vector3d numeric = (motion.at(time + h).position - motion.at(time - h).position) / (2.0 * h);
    EXPECT_LT((motion.at(time).velocity - numeric).norm(), 1e-6) << time;
  }
}

TEST(LimitedMotion, IsNoFasterThanTheEasedSpeedLimit) {
  LimitedMotion motion({.speed = 0.4, .acceleration = 2.0}, Eigen::Vector3d::Zero());
  for (int tick = 0; tick < 2000; ++tick) {
    motion.follow({10.0, 0.0, 0.0}, Eigen::Vector3d::Zero(), 1e-3, 0.25);
    ASSERT_LE(motion.velocity().norm(), 0.1 * (1.0 + 1e-12));
  }
  EXPECT_GT(motion.position().x(), 0.15);
}

}  // namespace
}  // namespace aplomb
