#include "aplomb/control/rise/hand_reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aplomb/robot/configuration.hpp"
#include "control/rise/sitting_plan.hpp"

namespace aplomb {
namespace {

constexpr double kLegs = 0.76;  // [m]

struct Reach {
  Reach()
      : hand(test::sitting_robot().frame(test::sitting_robot().description().roles.hand[kLeft])),
        terms(test::sitting_robot(), std::vector<FrameId>{hand}),
        reach(test::sitting_robot(), hand, kLegs) {
    state.q = test::sitting_plan(0.5, 0.5)->trajectory.q.col(0);
    state.v = Eigen::VectorXd::Zero(test::sitting_robot().nv());
    angle = rate = Eigen::VectorXd::Zero(test::sitting_robot().num_joints());
    terms.update(state);
    start = terms.frame(hand).T_world_frame.translation();
  }
  /// The arm follows what is wanted of it exactly.
  void go_on(int ticks, bool is_wanted, bool bears) {
    for (int i = 0; i < ticks; ++i) {
      angle.setZero();
      rate.setZero();
      reach.add_to(angle, rate);
      RobotState moved = state;
      moved.q.tail(angle.size()) += angle;
      terms.update(moved);
      reach.update(terms, is_wanted, bears);
    }
  }
  Eigen::Vector3d way() const { return terms.frame(hand).T_world_frame.translation() - start; }

  FrameId hand;
  RobotTerms terms;
  HandReach reach;
  RobotState state;
  Eigen::VectorXd angle, rate;
  Eigen::Vector3d start;
};

TEST(HandReach, AHandThatDoesNotBearGoesStraightDownAndNoFartherThanIsSearched) {
  Reach reach;
  reach.go_on(500, true, false);
  EXPECT_NEAR(reach.way().z(), -reach.reach.lowered(), 1e-3);
  EXPECT_LT(reach.way().head<2>().norm(), 1e-3);
  EXPECT_NEAR(reach.reach.lowered(), 0.04 * kLegs * 0.475, 5e-4);  // half a second, 50 ms of easing
  reach.go_on(2000, true, false);
  EXPECT_LT(reach.reach.lowered(), 0.04 * kLegs + 2e-3);
}

TEST(HandReach, AHandThatBearsStaysAndOneThatIsReleasedGoesBackToThePlan) {
  Reach reach;
  reach.go_on(300, true, false);
  const double lowered = reach.reach.lowered();
  EXPECT_GT(lowered, 5e-3);
  reach.go_on(300, true, true);
  EXPECT_EQ(reach.reach.lowered(), lowered);
  reach.go_on(2000, false, false);
  EXPECT_LT(reach.angle.norm(), 1e-3);
}

TEST(HandReach, OnlyTheArmsJointsMove) {
  Reach reach;
  reach.go_on(300, true, false);
  const std::vector<int> arm = test::sitting_robot().joint_chain(
      reach.hand, test::sitting_robot().frame(test::sitting_robot().description().roles.trunk));
  for (int i = 0; i < reach.angle.size(); ++i) {
    if (std::ranges::find(arm, i) != arm.end()) continue;
    EXPECT_EQ(reach.angle[i], 0.0) << i;
  }
  EXPECT_GT(reach.angle.norm(), 0.0);
}

}  // namespace
}  // namespace aplomb
