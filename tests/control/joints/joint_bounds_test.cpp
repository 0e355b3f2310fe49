#include "aplomb/control/joints/joint_bounds.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/joints/straight_legs.hpp"
#include "aplomb/core/error.hpp"
#include "robots/our_robots.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

TEST(JointBounds, KeepTheLimitsOfAngleSpeedAndAccelerationForAnyRequest) {
  const RobotModel robot = test::our_robot("hoap3");
  const Eigen::VectorXd start = robot.posture("half_sitting").q.tail(robot.num_joints());
  JointBounds bounds(robot, start, 0.01, 0.0);
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> wish(-30.0, 30.0);
  Eigen::VectorXd angles = start, rates = Eigen::VectorXd::Zero(start.size()), wanted = rates;
  for (int tick = 0; tick < 20'000; ++tick) {
    if (tick % 100 == 0) wanted = wanted.unaryExpr([&](double) { return wish(engine); });
    bounds.update(angles, rates);
    ASSERT_TRUE((bounds.lower().array() <= bounds.upper().array()).all());
    const Eigen::VectorXd next = wanted.cwiseMax(bounds.lower()).cwiseMin(bounds.upper());
    for (int i = 0; i < robot.num_joints(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      ASSERT_LE(std::abs(next[i]), joint.velocity + 1e-12);
      ASSERT_LE(std::abs(next[i] - rates[i]), joint.velocity / 0.2 * kControlPeriod * (1.0 + 1e-9)) << joint.name;
      ASSERT_GE(angles[i] + kControlPeriod * next[i], joint.lower + 0.0099) << joint.name;
      ASSERT_LE(angles[i] + kControlPeriod * next[i], joint.upper - 0.0099) << joint.name;
    }
    rates = next;
    angles += kControlPeriod * rates;
  }
}

TEST(JointBounds, LetAJointStayWhereItStartsAtItsLimit) {
  const RobotModel robot = test::our_robot("hoap3");
  Eigen::VectorXd start = robot.posture("half_sitting").q.tail(robot.num_joints());
  const int waist = robot.joint("BODY_J1");
  start[waist] = robot.joints()[static_cast<std::size_t>(waist)].lower;
  JointBounds bounds(robot, start, 0.05, 0.0);
  bounds.update(start, Eigen::VectorXd::Zero(start.size()));
  EXPECT_EQ(bounds.lower()[waist], 0.0);
  EXPECT_GT(bounds.upper()[waist], 0.0);
}

TEST(JointBounds, RejectAStartOutsideOfALimitByTheJointsName) {
  const RobotModel robot = test::our_robot("hoap3");
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.num_joints());
  const std::string what = test::error_of([&] { JointBounds(robot, zero, 0.01, 0.0); });
  EXPECT_NE(what.find("BODY_J1"), std::string::npos) << what;
  EXPECT_NE(what.find("0.0 degrees: its limits are 1.0 and 90.0"), std::string::npos) << what;
}

TEST(JointBounds, LimitTheDriftOfTheCommandFromTheMeasurement) {
  const RobotModel robot = test::our_robot("hoap3");
  const Eigen::VectorXd start = robot.posture("half_sitting").q.tail(robot.num_joints());
  JointBounds bounds(robot, start, 0.01, 0.0);
  const Eigen::VectorXd near = Eigen::VectorXd::Constant(start.size(), 0.05);
  Eigen::VectorXd angles = start, rates = Eigen::VectorXd::Zero(start.size());
  for (int tick = 0; tick < 2000; ++tick) {  // all joints are blocked, and requested to move
    bounds.update(angles, rates);
    bounds.keep_near(angles, start, near);
    rates = bounds.upper();
    angles += kControlPeriod * rates;
  }
  // At 0.05 rad its speed is √(2 a 0.05 rad), and it brakes over the same distance.
  EXPECT_LT((angles - start).cwiseAbs().maxCoeff(), 0.11);
}

TEST(JointBounds, KeepKneesOnTheirSideOfTheStraightLeg) {
  for (const char* name : {"hoap3", "coman", "sarcos", "balancer"}) {
    const RobotModel robot = test::our_robot(name);
    const RobotState posture = robot.posture("half_sitting");
    const std::vector<StraightLeg> legs = straight_legs(robot, posture);
    ASSERT_EQ(legs.size(), 2u) << name;
    JointBounds bounds(robot, posture.q.tail(robot.num_joints()), 0.01, 0.0);
    for (const StraightLeg& leg : legs) {
      const double start = posture.q[7 + leg.joint];
      const double side = start > leg.angle ? 1.0 : -1.0;
      bounds.keep_bent(leg.joint, leg.angle, start);
      const double end = side > 0.0 ? bounds.lowest_angle()[leg.joint] : bounds.highest_angle()[leg.joint];
      EXPECT_GE(side * (end - leg.angle), 0.0099) << robot.joints()[static_cast<std::size_t>(leg.joint)].name;
      EXPECT_GE(side * (start - end), 0.0) << name;
    }
  }
  const RobotModel robot = test::our_robot("hoap3");
  for (const StraightLeg& leg : straight_legs(robot, robot.posture("half_sitting"))) {
    EXPECT_EQ(robot.joints()[static_cast<std::size_t>(leg.joint)].name.substr(1), "LEG_J4");
    EXPECT_NEAR(leg.angle, 0.0, 1e-6);
  }
}

}  // namespace
}  // namespace aplomb
