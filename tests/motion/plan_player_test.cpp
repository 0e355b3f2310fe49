#include "aplomb/motion/plan_player.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

/// One joint that turns as sin t, a base that moves forward and turns about z.
std::shared_ptr<const MotionPlan> waving(double rate_hz) {
  auto plan = std::make_shared<MotionPlan>();
  Trajectory& t = plan->trajectory;
  const auto samples = static_cast<Eigen::Index>(2.0 * rate_hz) + 1;
  t.rate_hz = rate_hz;
  t.start_s = 0.5;
  t.joints = {"joint"};
  t.q = Eigen::MatrixXd::Zero(8, samples);
  t.v = t.a = Eigen::MatrixXd::Zero(7, samples);
  t.com = t.com_velocity = t.com_acceleration = t.force = Eigen::Matrix3Xd::Zero(3, samples);
  t.zmp = Eigen::Matrix2Xd::Constant(2, samples, 0.7);
  t.seat_share = Eigen::VectorXd::Zero(samples);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double s = static_cast<double>(i) / rate_hz;
    t.q(0, i) = 0.1 * s;
    t.q.col(i).segment<4>(3) << 0.0, 0.0, std::sin(0.5 * s), std::cos(0.5 * s);
    if (i % 2 == 1) t.q.col(i).segment<4>(3) *= -1.0;  // the same rotation
    t.q(7, i) = std::sin(s);
    t.v(6, i) = std::cos(s);
    t.a(6, i) = -std::sin(s);
    t.com(0, i) = s;
    t.com_velocity(0, i) = 1.0;
    t.seat_share[i] = std::max(0.0, 1.0 - s);
  }
  plan->contacts.contacts.push_back({.site = ContactSite::seat, .link = "pelvis", .start_s = 0.5, .end_s = 1.5});
  return plan;
}

TEST(PlanPlayer, InterpolatesTheMotionBetweenItsSamples) {
  PlanPlayer player(waving(100.0), 1.0, 0.0);
  for (double s = 0.003; s < 1.99; s += 0.0137) {
    const PlanSample& now = player.at(s);
    EXPECT_NEAR(now.q[7], std::sin(s), 1e-9);
    EXPECT_NEAR(now.v[6], std::cos(s), 2e-5);
    EXPECT_NEAR(now.com.position.x(), s, 1e-12);
    EXPECT_NEAR(now.q.segment<4>(3).norm(), 1.0, 1e-12);
    // Both signs of a quaternion are the same turn: its sine and cosine of half the angle, up to that sign.
    EXPECT_NEAR(std::abs(now.q[5] * std::cos(0.5 * s) - now.q[6] * std::sin(0.5 * s)), 0.0, 5e-7);
  }
}

TEST(PlanPlayer, AtTwiceTheSpeedHasTwiceTheRatesAndFourTimesTheAccelerations) {
  PlanPlayer once(waving(100.0), 1.0, 0.0), twice(waving(100.0), 2.0, 3.0);
  const PlanSample slow = once.at(0.81);
  const PlanSample& fast = twice.at(3.0 + 0.5 * 0.81);
  EXPECT_NEAR(fast.q[7], slow.q[7], 1e-12);
  EXPECT_NEAR(fast.v[6], 2.0 * slow.v[6], 1e-12);
  EXPECT_NEAR(fast.a[6], 4.0 * slow.a[6], 1e-12);
  EXPECT_NEAR(fast.com.velocity.x(), 2.0 * slow.com.velocity.x(), 1e-12);
}

TEST(PlanPlayer, RestsBeforeAndAfter) {
  PlanPlayer player(waving(100.0), 1.0, 1.0);
  EXPECT_EQ(player.at(0.2).v.norm(), 0.0);
  EXPECT_EQ(player.at(0.2).q[7], 0.0);
  EXPECT_EQ(player.at(9.0).v.norm(), 0.0);
  EXPECT_NEAR(player.at(9.0).q[7], std::sin(2.0), 1e-12);
  EXPECT_NEAR(player.end_s(), 3.0, 1e-12);
  EXPECT_NEAR(player.seat_off_s(), 1.0, 1e-12);
}

TEST(PlanPlayer, AtRestTheZmpIsBelowTheCentreOfMass) {
  PlanPlayer player(waving(100.0), 1.0, 1.0);
  EXPECT_EQ(player.at(2.0).zmp.x(), 0.7);  // as planned
  for (const double time_s : {0.2, 3.5}) {
    const PlanSample& resting = player.at(time_s);
    EXPECT_EQ(resting.zmp, resting.com.position.head<2>()) << time_s;
  }
}

TEST(PlanPlayer, RefusesWhatCannotBePlayed) {
  EXPECT_THROW(PlanPlayer(std::make_shared<MotionPlan>(), 1.0, 0.0), InvalidValue);
  EXPECT_THROW(PlanPlayer(waving(100.0), 0.0, 0.0), InvalidValue);
}

}  // namespace
}  // namespace aplomb
