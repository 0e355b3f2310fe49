#include "aplomb/control/partial_force/holdable_force.hpp"

#include <gtest/gtest.h>

#include "control/force_problems.hpp"

namespace aplomb {
namespace {

/// CoMan's right hand under a force of `newton` along its z axis.
struct Pressed {
  explicit Pressed(double newton) : random(1) {
    random.problem.contacts[2].force = Eigen::Vector3d(0.0, 0.0, newton);
    const Roles& roles = random.robot.description().roles;
    const std::vector<FrameId> feet = {random.robot.frame(roles.foot[kLeft]), random.robot.frame(roles.foot[kRight])};
    HoldableForce holdable(random.robot, random.terms, feet);
    limit = holdable.find(random.terms, std::span(random.problem.contacts).subspan(2));
  }
  /// Torque of a joint at rest, over its limit, under this share of the force.
  double torque_ratio(int joint, double share) const {
    const ForceContact& hand = random.problem.contacts[2];
    const double torque = random.terms.gravity()[6 + joint] - share * hand.jacobian.col(6 + joint).dot(hand.force);
    return std::abs(torque) / random.robot.joints()[static_cast<std::size_t>(joint)].effort;
  }
  test::RandomForceProblem random;
  HoldableForce::Limit limit;
};

TEST(HoldableForce, IsTheWholeForceWhereTheArmCanHoldIt) {
  const Pressed pressed(5.0);
  EXPECT_EQ(pressed.limit.share, 1.0);
  EXPECT_EQ(pressed.limit.joint, -1);
}

TEST(HoldableForce, LeavesTheWeakestJointAtNineTenthsOfItsTorqueAndAllOthersOfTheArmBelow) {
  const Pressed pressed(2000.0);
  ASSERT_GE(pressed.limit.joint, 0);
  EXPECT_GT(pressed.limit.share, 0.0);
  EXPECT_NEAR(pressed.torque_ratio(pressed.limit.joint, pressed.limit.share), 0.9, 1e-9);
  for (int i = 0; i < pressed.random.robot.num_joints(); ++i) {
    const bool is_of_arm = pressed.random.problem.contacts[2].jacobian.col(6 + i).squaredNorm() > 0.0;
    if (!is_of_arm) continue;
    EXPECT_LT(pressed.torque_ratio(i, pressed.limit.share), 0.9 + 1e-9) << i;
  }
}

}  // namespace
}  // namespace aplomb
