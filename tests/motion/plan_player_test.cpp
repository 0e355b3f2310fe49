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
    t.v.col(i).head<6>() << 0.1 * std::cos(s), -0.1 * std::sin(s), 0.0, 0.0, 0.0, 1.0;
    t.a.col(i).head<2>() << -0.1 * std::sin(s), -0.1 * std::cos(s);
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
    // Samples h = 10 ms apart and a fourth derivative of 1: h⁴/384, about h³/60 and h²/8.
    EXPECT_NEAR(now.q[0], 0.1 * s, 1e-14);
    EXPECT_NEAR(now.q[7], std::sin(s), 3e-11);
    EXPECT_NEAR(now.v[6], std::cos(s), 2e-8);
    EXPECT_NEAR(now.a[6], -std::sin(s), 1.3e-5);
    EXPECT_NEAR(now.v[5], 1.0, 1e-9);
    EXPECT_NEAR(now.com.position.x(), s, 1e-12);
    EXPECT_NEAR(now.q.segment<4>(3).norm(), 1.0, 1e-12);
    // Both signs of a quaternion are the same turn: its sine and cosine of half the angle, up to that sign.
    EXPECT_NEAR(std::abs(now.q[5] * std::cos(0.5 * s) - now.q[6] * std::sin(0.5 * s)), 0.0, 1e-12);
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

TEST(PlanPlayer, TheFirstSeatOffCountsWhenTheSeatIsTakenAgain) {
  MotionPlan plan = *waving(100.0);
  using enum ContactSite;
  plan.contacts.contacts.push_back({.site = seat, .link = "pelvis", .start_s = 2.0, .end_s = 2.3});
  plan.contacts.contacts.push_back({.site = left_hand, .link = "hand", .start_s = 0.5, .end_s = 1.2});
  plan.contacts.contacts.push_back({.site = left_hand, .link = "hand", .start_s = 1.4, .end_s = 1.7});
  plan.contacts.contacts.push_back({.site = right_hand, .link = "hand", .start_s = 1.9, .end_s = 2.1});
  const PlanPlayer player(std::make_shared<MotionPlan>(plan), 1.0, 0.0);
  EXPECT_NEAR(player.seat_off_s(), 1.0, 1e-12);  // at 1.5 s of the trajectory, which begins at 0.5 s
  EXPECT_NEAR(player.on_feet_s(), 1.2, 1e-12);   // the left hand, taken again before seat-off, is released
  EXPECT_TRUE(plan.contacts.is_active(seat, 2.1));
  EXPECT_FALSE(plan.contacts.is_active(seat, 1.8));
  EXPECT_EQ(plan.contacts.nearest(seat, 1.9)->start_s, 2.0);
  EXPECT_EQ(plan.contacts.nearest(left_foot, 1.9), nullptr);
  EXPECT_EQ(plan.contacts.sites(), (std::vector<ContactSite>{seat, left_hand, right_hand}));
}

TEST(PlanPlayer, APlanThatBeginsOffTheSeatHasNoSeatOffAtFirst) {
  MotionPlan plan = *waving(100.0);
  plan.contacts.contacts.front().start_s = 1.0;
  plan.contacts.contacts.front().end_s = 9.0;
  const PlanPlayer player(std::make_shared<MotionPlan>(plan), 1.0, 0.0);
  EXPECT_EQ(player.seat_off_s(), 0.0);
  EXPECT_EQ(player.on_feet_s(), 0.0);
}

TEST(PlanPlayer, WrenchesAndTorquesAreLinearBetweenSamplesAndGiveTheShares) {
  MotionPlan plan = *waving(100.0);
  Trajectory& t = plan.trajectory;
  const Eigen::Index samples = t.num_samples();
  t.torque = Eigen::MatrixXd::Random(1, samples);
  t.wrenches = {{ContactSite::left_foot, Eigen::MatrixXd::Random(6, samples)},
                {ContactSite::seat, Eigen::MatrixXd::Random(6, samples)}};
  t.wrenches[0].wrench.row(2).setConstant(300.0);
  t.wrenches[1].wrench.row(2).setConstant(100.0);
  PlanPlayer player(std::make_shared<MotionPlan>(plan), 1.0, 0.0);
  const PlanSample& now = player.at(0.553);  // 0.3 of the way from sample 55 to 56
  EXPECT_NEAR(now.torque[0], 0.7 * t.torque(0, 55) + 0.3 * t.torque(0, 56), 1e-9);
  ASSERT_NE(now.wrench_of(ContactSite::seat), nullptr);
  EXPECT_EQ(now.wrench_of(ContactSite::right_foot), nullptr);
  const auto& seat = t.wrenches[1].wrench;
  EXPECT_LT((now.wrench_of(ContactSite::seat)->wrench - 0.7 * seat.col(55) - 0.3 * seat.col(56)).norm(), 1e-9);
  EXPECT_NEAR(now.seat_share, 0.25, 1e-12);  // of the wrenches, not of seat_share
  EXPECT_EQ(now.hand_share.norm(), 0.0);
}

TEST(PlanPlayer, RefusesWhatCannotBePlayed) {
  EXPECT_THROW(PlanPlayer(std::make_shared<MotionPlan>(), 1.0, 0.0), InvalidValue);
  EXPECT_THROW(PlanPlayer(waving(100.0), 0.0, 0.0), InvalidValue);
}

}  // namespace
}  // namespace aplomb
