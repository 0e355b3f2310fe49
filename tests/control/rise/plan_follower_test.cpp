#include "aplomb/control/rise/plan_follower.hpp"

#include <gtest/gtest.h>

#include "aplomb/robot/dynamics/statics.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

const RobotModel& robot() {
  static const RobotModel loaded = RobotModel::load("sarcos_real");
  return loaded;
}

double weight() { return robot().mass() * kGravity; }

/// A plan that sits still, half its weight on the seat, with the seat's wrench about a point of the pelvis.
MotionPlan sitting() {
  MotionPlan plan;
  Trajectory& t = plan.trajectory;
  constexpr Eigen::Index kSamples = 101;
  t.rate_hz = 100.0;
  RobotState seated = robot().posture("seated");
  robot().stand_on_soles(seated);
  RobotTerms terms(robot(), {});
  terms.update(seated);
  t.q = seated.q.replicate(1, kSamples);
  t.v = t.a = Eigen::MatrixXd::Zero(robot().nv(), kSamples);
  t.com = terms.com().replicate(1, kSamples);
  t.com_velocity = t.com_acceleration = Eigen::Matrix3Xd::Zero(3, kSamples);
  t.zmp = t.com.topRows<2>();
  t.force = Eigen::Vector3d(0.0, 0.0, weight()).replicate(1, kSamples);
  t.seat_share = Eigen::VectorXd::Constant(kSamples, 0.9);  // not used: the wrenches count
  plan.contacts.contacts = {
      {.site = ContactSite::left_foot, .link = robot().description().roles.foot[kLeft], .end_s = 2.0},
      {.site = ContactSite::seat, .link = "pelvis", .point = {0.05, 0.0, -0.1}, .end_s = 0.5},
      {.site = ContactSite::seat, .link = "pelvis", .point = {0.05, 0.0, -0.1}, .start_s = 0.7, .end_s = 2.0}};
  Eigen::Matrix<double, 6, Eigen::Dynamic> foot(6, kSamples), seat(6, kSamples);
  foot.colwise() = (Eigen::Matrix<double, 6, 1>() << -40.0, 0.0, 0.5 * weight(), 0.0, 0.0, 0.0).finished();
  seat.colwise() = (Eigen::Matrix<double, 6, 1>() << 40.0, 0.0, 0.5 * weight(), 10.0, -20.0, 0.0).finished();
  t.wrenches = {{ContactSite::left_foot, foot}, {ContactSite::seat, seat}};
  return plan;
}

SensorReadings readings_with(double seat_n) {
  SensorReadings readings;
  readings.state = {sitting().trajectory.q.col(0), Eigen::VectorXd::Zero(robot().nv())};
  readings.seat_wrench.force = {0.0, 0.0, seat_n};
  return readings;
}

TEST(PlanFollower, TheSeatPushesAsThePlannedWrenchDoes) {
  PlanFollower follower(robot(), {.plan = std::make_shared<MotionPlan>(sitting())});
  ASSERT_EQ(follower.reference().loads.size(), 1U);  // one seat, though it is taken twice
  const FrameId pelvis = follower.reference().loads[0].frame;
  RobotTerms terms(robot(), std::vector<FrameId>{pelvis});
  SensorReadings readings = readings_with(0.5 * weight());
  terms.update(readings.state);
  Fallbacks fallbacks;
  readings.time_s = 0.1;
  follower.update(terms, readings, fallbacks);
  const double vertical = 1.2 * weight();
  follower.distribute({0.0, 0.0, vertical});
  const BalanceReference::Load& load = follower.reference().loads[0];
  // Half of the vertical force; along the plane, the planned force.
  EXPECT_NEAR(load.force.z(), 0.5 * vertical, 1e-9);
  EXPECT_NEAR(load.force.x(), 40.0, 1e-9);
  // At the centre of pressure of the planned wrench: force and point have its moment.
  const Eigen::Vector3d point = terms.frame(pelvis).T_world_frame * Eigen::Vector3d(0.05, 0.0, -0.1);
  const Eigen::Vector3d force(40.0, 0.0, 0.5 * weight()), arm = load.point - point;
  EXPECT_NEAR(arm.cross(force).x(), 10.0, 1e-9);
  EXPECT_NEAR(arm.cross(force).y(), -20.0, 1e-9);
}

TEST(PlanFollower, AnUpdateDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  PlanFollower follower(robot(), {.plan = std::make_shared<MotionPlan>(sitting())});
  RobotTerms terms(robot(), std::vector<FrameId>{follower.reference().loads[0].frame});
  SensorReadings readings = readings_with(0.5 * weight());
  terms.update(readings.state);
  Fallbacks fallbacks;
  follower.update(terms, readings, fallbacks);
  const test::AllocationCount allocations;
  for (int tick = 0; tick < 20; ++tick) {
    readings.time_s = 1e-3 * tick;
    follower.update(terms, readings, fallbacks);
    follower.distribute({0.0, 0.0, weight()});
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(PlanFollower, TheSeatsPlannedShareIsLimitedByTheMeasuredOne) {
  PlanFollower follower(robot(), {.plan = std::make_shared<MotionPlan>(sitting())});
  RobotTerms terms(robot(), std::vector<FrameId>{follower.reference().loads[0].frame});
  SensorReadings readings = readings_with(0.1 * weight());
  terms.update(readings.state);
  Fallbacks fallbacks;
  readings.time_s = 0.1;
  follower.update(terms, readings, fallbacks);
  follower.distribute({0.0, 0.0, weight()});
  EXPECT_NEAR(follower.reference().loads[0].force.z(), 0.25 * weight(), 1e-9);  // measured, and the tolerance of 0.15
}

}  // namespace
}  // namespace aplomb
