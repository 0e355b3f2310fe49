#include "aplomb/control/joint_pd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// Readings of a robot that stands at rest, with `left_share` of its weight on the left foot.
SensorReadings standing(const RobotModel& robot, double left_share = 0.5) {
  SensorReadings readings;
  readings.state = robot.posture("half_sitting");
  readings.foot_wrench[kLeft].force.z() = left_share * robot.mass() * kGravity;
  readings.foot_wrench[kRight].force.z() = (1.0 - left_share) * robot.mass() * kGravity;
  return readings;
}

/// The robot at the same density, `size` times as large: masses scale with size³, inertias with size⁵.
RobotModel scaled(const std::string& name, double size) {
  const RobotModel robot = test::our_robot(name);
  Urdf urdf = robot.urdf();
  for (UrdfLink& link : urdf.links) {
    link.inertia.mass *= std::pow(size, 3);
    link.inertia.com *= size;
    link.inertia.about_com *= std::pow(size, 5);
  }
  for (UrdfJoint& joint : urdf.joints) joint.T_parent_joint.translation() *= size;
  RobotDescription description = robot.description();
  description.actuation.armature *= std::pow(size, 5);
  for (auto& sole : description.soles) {
    for (double* length : {&sole->x_min, &sole->x_max, &sole->y_min, &sole->y_max, &sole->z}) *length *= size;
  }
  return {urdf, description};
}

Command command_of(const RobotModel& robot, double gain_scale = 1.0, double left_share = 0.5) {
  JointPd controller(robot, robot.posture("half_sitting"), {.gain_scale = gain_scale});
  const SensorReadings readings = standing(robot, left_share);
  return controller.step(readings);  // the low-pass of the load shares starts at its first input
}

class EveryRobot : public testing::TestWithParam<std::string> {
 protected:
  const RobotModel robot_ = test::our_robot(GetParam());
  const bool is_servo_ = robot_.description().actuation.kind == Actuation::Kind::servo;
};

TEST_P(EveryRobot, HasPositiveFiniteGains) {
  const Command command = command_of(robot_);
  for (const Eigen::VectorXd* gains : {&command.stiffness, &command.damping}) {
    EXPECT_TRUE(gains->allFinite());
    EXPECT_GT(gains->minCoeff(), 0.0);
  }
}

TEST_P(EveryRobot, HasGainsThatScaleWithItsSize) {
  // Torques scale as m g h ~ size⁴, times as √(h/g) ~ √size; servo drives keep their own gains.
  const double size = 1.7;
  const Command command = command_of(robot_);
  const Command large = command_of(scaled(GetParam(), size));
  const double stiffness = is_servo_ ? 1.0 : std::pow(size, 4);
  const double damping = is_servo_ ? 1.0 : std::pow(size, 4.5);
  EXPECT_TRUE(large.stiffness.isApprox(stiffness * command.stiffness, 1e-9));
  EXPECT_TRUE(large.damping.isApprox(damping * command.damping, 1e-9));
}

TEST_P(EveryRobot, CarriesItsWeightWithTheTorqueOfStandingStill) {
  // M v̇ + h = Sᵀτ + Σ Jᵀw with v̇ = 0 at rest: drive torques and ground reaction balance gravity on every row.
  for (double left_share : {0.5, 0.2, 0.9}) {
    const Command command = command_of(robot_, 1.0, left_share);
    const SensorReadings readings = standing(robot_, left_share);
    const Eigen::VectorXd joints = readings.state.q.tail(robot_.num_joints());
    RobotTerms terms(robot_, sole_frames(robot_));
    terms.update(readings.state);
    StaticTorque statics(robot_);
    const Eigen::VectorXd expected = statics.compute(terms, {left_share, 1.0 - left_share});
    ASSERT_LT(statics.base_residual().norm(), 1e-9 * robot_.mass() * kGravity);
    const Eigen::VectorXd drives = command.torque + command.stiffness.cwiseProduct(command.position - joints);
    EXPECT_LT((drives - expected).norm(), 1e-6 * expected.norm()) << left_share;
  }
}

TEST_P(EveryRobot, HoldsItsLastCommandWhileAReadingIsNotANumber) {
  JointPd controller(robot_, robot_.posture("half_sitting"), {});
  const SensorReadings good = standing(robot_, 0.4);
  const Command last = controller.step(good);
  ASSERT_EQ(last.status, CommandStatus::solved);
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<SensorReadings> broken(3, good);
    broken[0].state.q[9] = bad;
    broken[1].state.v[2] = bad;
    broken[2].is_lost[static_cast<std::size_t>(Sensor::base_position)] = true;
    for (const SensorReadings& readings : broken) {
      const Command& held = controller.step(readings);
      EXPECT_EQ(held.status, CommandStatus::reading_missing);
      EXPECT_EQ(held.torque, last.torque);
      EXPECT_EQ(held.position, last.position);
      EXPECT_EQ(held.stiffness, last.stiffness);
      EXPECT_EQ(held.damping, last.damping);
    }
  }
  EXPECT_EQ(controller.step(good).status, CommandStatus::solved);
}

TEST_P(EveryRobot, KeepsTheLastLoadSharesWhileAFootSensorFails) {
  JointPd controller(robot_, robot_.posture("half_sitting"), {});
  const Command before = controller.step(standing(robot_, 0.4));
  std::vector<SensorReadings> broken(3, standing(robot_, 0.9));
  broken[0].foot_wrench[kLeft].force.z() = std::numeric_limits<double>::quiet_NaN();
  broken[1].foot_wrench[kRight].force.x() = std::numeric_limits<double>::infinity();
  broken[2].is_lost[static_cast<std::size_t>(Sensor::left_foot_wrench)] = true;
  for (const SensorReadings& readings : broken) {
    const Command& command = controller.step(readings);
    EXPECT_EQ(command.status, CommandStatus::solved);
    EXPECT_LT((command.torque - before.torque).norm(), 1e-9 * robot_.mass() * kGravity);
    EXPECT_LT((command.position - before.position).norm(), 1e-9);
  }
}

TEST_P(EveryRobot, KeepsTheLastSharesWhileItsFeetCarryNothing) {
  JointPd controller(robot_, robot_.posture("half_sitting"), {});
  const SensorReadings loaded = standing(robot_, 0.8);
  for (int i = 0; i < 1000; ++i) controller.step(loaded);
  const Command before = controller.step(loaded);
  SensorReadings in_the_air = loaded;
  for (double load : {0.0, -1.0, 0.01}) {  // load over weight; a sensor offset may make it negative
    for (Wrench& wrench : in_the_air.foot_wrench) wrench.force.z() = load * robot_.mass() * kGravity;
    for (int i = 0; i < 100; ++i) controller.step(in_the_air);
  }
  const Command& after = controller.step(in_the_air);
  EXPECT_EQ(after.status, CommandStatus::solved);
  EXPECT_LT((after.torque - before.torque).norm(), 1e-9 * robot_.mass() * kGravity);
  EXPECT_LT((after.position - before.position).norm(), 1e-9);
}

TEST_P(EveryRobot, StepsWithoutAllocation) {
  SKIP_UNLESS_COUNTED();
  JointPd controller(robot_, robot_.posture("half_sitting"), {});
  SensorReadings readings = standing(robot_);
  const test::AllocationCount allocations;
  for (int i = 0; i < 100; ++i) {
    readings.state.q[2] += 1e-4;
    readings.foot_wrench[kLeft].force.z() += 1.0;
    controller.step(readings);
  }
  readings.state.q[2] = std::numeric_limits<double>::quiet_NaN();
  controller.step(readings);
  EXPECT_EQ(allocations.since_start(), 0);
}

INSTANTIATE_TEST_SUITE_P(JointPd, EveryRobot, testing::ValuesIn(test::kOurRobots),
                         [](const auto& robot) { return robot.param; });

TEST(JointPd, ScalesSpringsAndDampersButNotTheFeedForward) {
  const RobotModel robot = test::our_robot("sarcos");
  const Command one = command_of(robot, 1.0);
  const Command three = command_of(robot, 3.0);
  EXPECT_TRUE(three.stiffness.isApprox(3.0 * one.stiffness, 1e-12));
  EXPECT_TRUE(three.damping.isApprox(3.0 * one.damping, 1e-12));
  EXPECT_EQ(three.torque, one.torque);
}

TEST(JointPd, StiffensLegsByTheBodyAndOtherJointsByTheirOwnBranch) {
  const RobotModel robot = test::our_robot("coman");
  const Command command = command_of(robot);
  RobotTerms terms(robot, {});
  terms.update(robot.posture("half_sitting"));
  const double body = robot.mass() * kGravity * terms.com().z();
  const double omega = 5.0 * std::sqrt(kGravity / terms.com().z());
  for (const char* leg : {"LHipSag", "RKneeSag", "LAnkLat", "RAnkSag"}) {
    EXPECT_NEAR(command.stiffness[robot.joint(leg)], 2.5 * body, 1e-9 * body) << leg;
  }
  for (const char* upper : {"WaistSag", "LShSag", "RElbj"}) {
    const int joint = robot.joint(upper);
    const double inertia = terms.mass_matrix()(6 + joint, 6 + joint);
    EXPECT_NEAR(command.stiffness[joint], omega * omega * inertia, 1e-9 * body) << upper;
    EXPECT_NEAR(command.damping[joint], 2.0 * omega * inertia, 1e-9 * body) << upper;  // critical
  }
}

TEST(JointPd, CommandsMirroredTorquesOnASymmetricRobot) {
  for (const char* name : {"balancer", "sarcos", "sarcos_real", "sarcos_heavy"}) {
    const RobotModel robot = test::our_robot(name);
    const Command command = command_of(robot);
    for (int i = 0; i < robot.num_joints(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      if (!joint.name.starts_with("left_")) continue;
      const int other = robot.joint("right_" + joint.name.substr(5));
      // A turn about axis a becomes, in the mirror y → −y, a turn about (−a_x, a_y, −a_z).
      const Eigen::Vector3d image(-joint.axis.x(), joint.axis.y(), -joint.axis.z());
      const double sign = image.dot(robot.joints()[static_cast<std::size_t>(other)].axis);
      EXPECT_NEAR(command.torque[i], sign * command.torque[other], 1e-9 * robot.mass() * kGravity) << joint.name;
      EXPECT_NEAR(command.stiffness[i], command.stiffness[other], 1e-9 * command.stiffness[i]) << joint.name;
      EXPECT_NEAR(command.damping[i], command.damping[other], 1e-9 * command.damping[i]) << joint.name;
    }
  }
}

TEST(JointPd, RejectsAGainScaleThatIsNotPositive) {
  const RobotModel robot = test::our_robot("balancer");
  for (double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(JointPd(robot, robot.posture("half_sitting"), {.gain_scale = scale}), InvalidValue) << scale;
  }
}

}  // namespace
}  // namespace aplomb
