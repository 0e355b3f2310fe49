#include "aplomb/robot/dynamics/statics.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/files/data_dir.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

TEST(StaticTorque, LeavesNoWrenchOnTheBaseForAnySharesAndPosture) {
  for (const std::string& name : robot_names()) {
    const RobotModel robot = RobotModel::load(name);
    RobotTerms terms(robot, sole_frames(robot));
    StaticTorque statics(robot);
    for (unsigned seed = 0; seed < 20; ++seed) {
      terms.update(test::random_state(robot, seed));
      const double left = static_cast<double>(seed) / 19.0;
      statics.compute(terms, {left, 1.0 - left});
      EXPECT_LT(statics.base_residual().norm(), 1e-9 * robot.mass()) << name;
    }
  }
}

TEST(StaticTorque, LeavesToASeatWhatTheFeetDoNotCarry) {
  const RobotModel robot = RobotModel::load("sarcos");
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(robot.posture("seated"));
  StaticTorque statics(robot);
  const double weight = robot.mass() * kGravity;
  const Eigen::VectorXd standing = statics.compute(terms, {0.5, 0.5});
  for (double on_feet : {0.0, 0.2, 0.5, 0.9, 1.0 - 1e-9}) {
    const Eigen::VectorXd torque = statics.compute(terms, {0.5 * on_feet, 0.5 * on_feet});
    EXPECT_NEAR(statics.base_residual().head<3>().norm(), (1.0 - on_feet) * weight, 1e-9 * weight);
    EXPECT_TRUE(torque.allFinite());
  }
  // Without load on the feet, the joints hold up what hangs on the base.
  EXPECT_EQ(statics.compute(terms, {0.0, 0.0}), terms.gravity().tail(robot.num_joints()));
  // Where the seat carries next to nothing, it is standing.
  EXPECT_LT((statics.compute(terms, {0.5 - 5e-10, 0.5 - 5e-10}) - standing).norm(), 1e-6 * weight);
}

TEST(StaticTorque, IsSymmetricWhenASymmetricRobotStandsOnBothFeet) {
  const RobotModel robot = RobotModel::load("balancer");
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(robot.posture("half_sitting"));
  StaticTorque statics(robot);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  EXPECT_NEAR(torque[robot.joint("left_knee")], torque[robot.joint("right_knee")], 1e-9);
  EXPECT_NEAR(torque[robot.joint("left_hip_roll")], -torque[robot.joint("right_hip_roll")], 1e-9);
}

}  // namespace
}  // namespace aplomb
