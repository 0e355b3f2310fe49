#include "aplomb/control/rise/chair_shift.hpp"

#include <gtest/gtest.h>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kStart = 1.0;  // [s] when the plan begins

/// Plan that sits for 1.5 s, with seat-off at 1 s.
MotionPlan sitting(const RobotModel& robot) {
  MotionPlan plan;
  Trajectory& t = plan.trajectory;
  t.rate_hz = 100.0;
  RobotState seated = robot.posture("seated");
  robot.stand_on_soles(seated);
  t.q = seated.q.replicate(1, 151);
  t.v = Eigen::MatrixXd::Zero(robot.nv(), 151);
  plan.contacts.contacts.push_back({.site = ContactSite::seat, .link = "pelvis", .start_s = 0.0, .end_s = 1.0});
  return plan;
}

/// Updates `chair` with a base that is `higher` [m] than planned until the plan begins, then once at the plan time
/// `plan_s`.
void sit(ChairShift& chair, const MotionPlan& plan, double higher, double plan_s) {
  SensorReadings readings;
  readings.state.q = plan.trajectory.q.col(0);
  readings.state.q[2] += higher;
  for (int tick = 0; tick < 1000; ++tick) {
    readings.time_s = 1e-3 * tick;
    chair.update(readings, readings.time_s - kStart);
  }
  readings.time_s = kStart + plan_s;
  chair.update(readings, plan_s);
}

TEST(ChairShift, LiftsTheHipsWithTheFeetFixed) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const MotionPlan plan = sitting(robot);
  RobotTerms terms(robot, sole_frames(robot));
  for (double higher : {-0.02, 0.03}) {
    ChairShift chair(robot, plan, kStart);
    sit(chair, plan, higher, 0.5);
    EXPECT_NEAR(chair.height(), higher, 1e-6);
    RobotState state{plan.trajectory.q.col(0), Eigen::VectorXd::Zero(robot.nv())};
    terms.update(state);
    const Eigen::Isometry3d left = terms.frame(sole_frames(robot)[0]).T_world_frame;
    const Eigen::Vector3d com = terms.com();
    state.q[2] += higher;
    state.q.tail(robot.num_joints()) += chair.angle();
    terms.update(state);
    // The shift is exact to first order: the error grows with the square of the height.
    EXPECT_LT((terms.frame(sole_frames(robot)[0]).T_world_frame.translation() - left.translation()).norm(),
              4.0 * higher * higher);
    EXPECT_LT((terms.com() - com - chair.com()).norm(), 4.0 * higher * higher);
  }
}

TEST(ChairShift, IsZeroOnThePlannedChairAndWhenTheRobotStands) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const MotionPlan plan = sitting(robot);
  ChairShift same(robot, plan, kStart), other(robot, plan, kStart);
  sit(same, plan, 0.0, 0.5);
  EXPECT_LT(same.angle().norm(), 1e-9);
  sit(other, plan, 0.02, 0.5);
  EXPECT_GT(other.angle().norm(), 0.01);
  sit(other, plan, 0.02, 1.5);
  EXPECT_EQ(other.angle().norm(), 0.0);
  EXPECT_EQ(other.com().norm(), 0.0);
}

TEST(ChairShift, IsBackWhenTheSeatIsTakenAgain) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  MotionPlan plan = sitting(robot);  // seat-off at 1 s
  plan.contacts.contacts.push_back(plan.contacts.contacts.back());
  plan.contacts.contacts.back().start_s = 1.4;
  plan.contacts.contacts.back().end_s = 2.0;
  const auto turned = [&](double plan_s) {
    ChairShift chair(robot, plan, kStart);
    sit(chair, plan, 0.02, plan_s);
    return chair.angle().norm();
  };
  const double seated = turned(0.5);
  EXPECT_GT(seated, 0.01);
  EXPECT_EQ(turned(1.2), 0.0);  // half-way between the contacts
  EXPECT_GT(turned(1.05), 0.0);
  EXPECT_LT(turned(1.05), seated);
  EXPECT_NEAR(turned(1.35), turned(1.05), 1e-9);
  EXPECT_NEAR(turned(1.45), seated, 1e-12);
}

TEST(ChairShift, IsZeroForAPlanThatBeginsOffTheSeat) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  MotionPlan plan = sitting(robot);
  plan.contacts.contacts.back().start_s = 0.5;
  ChairShift chair(robot, plan, kStart);
  sit(chair, plan, 0.02, 0.8);
  EXPECT_EQ(chair.height(), 0.0);
  EXPECT_EQ(chair.angle().norm(), 0.0);
}

}  // namespace
}  // namespace aplomb
