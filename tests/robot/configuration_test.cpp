#include "aplomb/robot/configuration.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "support/random_state.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// Difference of two configurations that does not depend on the sign of the quaternions.
double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a.head<3>() - b.head<3>()).norm() + base_orientation(a).angularDistance(base_orientation(b)) +
         (joint_positions(a) - joint_positions(b)).norm();
}

TEST(Configuration, IntegratingADifferenceLeadsToTheOtherConfiguration) {
  const RobotModel robot = RobotModel::load("hoap3");
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Eigen::VectorXd from = test::random_state(robot, seed).q, to = test::random_state(robot, seed + 100).q;
    Eigen::VectorXd q = from;
    integrate(difference(from, to, DifferenceFrame::first), q);
    EXPECT_LT(distance(q, to), 1e-12);
  }
}

TEST(Configuration, StepsInWorldAndInBaseAxesAgree) {
  const RobotModel robot = RobotModel::load("hoap3");
  for (unsigned seed = 1; seed < 20; ++seed) {
    const RobotState state = test::random_state(robot, seed);
    Eigen::VectorXd in_world = state.v;
    const Eigen::Quaterniond R_world_base = base_orientation(state.q);
    in_world.head<3>() = R_world_base * state.v.head<3>();
    in_world.segment<3>(3) = R_world_base * state.v.segment<3>(3);
    Eigen::VectorXd first = state.q, second = state.q;
    integrate(state.v, first);
    integrate_in_world(in_world, second);
    EXPECT_LT(distance(first, second), 1e-12);
  }
}

TEST(Configuration, TheMidpointDifferenceIsReversible) {
  const RobotModel robot = RobotModel::load("hoap3");
  const Eigen::VectorXd from = test::random_state(robot, 3).q, to = test::random_state(robot, 4).q;
  const Eigen::VectorXd there = difference(from, to, DifferenceFrame::midpoint);
  const Eigen::VectorXd back = difference(to, from, DifferenceFrame::midpoint);
  EXPECT_LT((there + back).norm(), 1e-12);
}

TEST(Configuration, ContinuousQuaternionsHaveNoSignChanges) {
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(8, 3);
  q.row(6) << 1.0, -1.0, 1.0;
  make_quaternions_continuous(q);
  EXPECT_EQ(q.row(6), Eigen::RowVector3d::Ones());
}

TEST(RobotModel, TheJointsThatMoveALinkAreAChainToTheBase) {
  const RobotModel robot = RobotModel::load("hoap3");
  const FrameId foot = robot.frame(robot.description().roles.foot[kLeft]);
  const std::vector<int> joints = robot.joint_chain(foot);
  ASSERT_EQ(joints.size(), 6u);
  const auto& bodies = robot.tree().bodies;
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    EXPECT_EQ(bodies[static_cast<std::size_t>(joints[i] + 1)].parent, joints[i + 1] + 1);
  }
  EXPECT_EQ(bodies[static_cast<std::size_t>(joints.back() + 1)].parent, 0);
  const FrameId shank = robot.frame(robot.joints()[static_cast<std::size_t>(joints[2])].link);
  EXPECT_EQ(robot.joint_chain(foot, shank), std::vector<int>(joints.begin(), joints.begin() + 2));
}

TEST(RobotModel, TheCadModelHasTheCadsMassesAndTheRobotsDescription) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  ASSERT_TRUE(robot.has_cad());
  const RobotModel cad = robot.cad();
  EXPECT_EQ(cad.mass(), RobotModel::load("sarcos").mass());
  EXPECT_EQ(cad.name(), "sarcos_real");
}

TEST(RobotModel, WithoutACadModelTheErrorNamesTheKeyToSet) {
  const RobotModel robot = RobotModel::load("hoap3");
  EXPECT_FALSE(robot.has_cad());
  EXPECT_TRUE(test::has(test::error_of([&] { robot.cad(); }), "`cad`"));
}

}  // namespace
}  // namespace aplomb
