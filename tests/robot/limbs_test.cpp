#include "aplomb/robot/limbs.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"
#include "support/block.hpp"

namespace aplomb {
namespace {

class LimbsOfARobot : public testing::TestWithParam<const char*> {
 protected:
  RobotModel robot = RobotModel::load(GetParam());
  Limbs limbs = find_limbs(robot);
};

TEST_P(LimbsOfARobot, HaveAKneeBetweenHipAndAnkleAndMirrorEachOther) {
  for (const Limbs::Leg& leg : limbs.legs) {
    EXPECT_LT(leg.hip, leg.knee);
    EXPECT_LT(leg.knee, leg.ankle);
    EXPECT_EQ(leg.shank, leg.knee + 1);
  }
  EXPECT_GT(limbs.thigh_length, 0.5 * limbs.shank_length);
  EXPECT_LT(limbs.thigh_length, 2.0 * limbs.shank_length);
  EXPECT_EQ(limbs.legs[0].knee_sign, limbs.legs[1].knee_sign);
}

TEST_P(LimbsOfARobot, SitOnShapesThatAreAsFarBelowTheHipsHoweverThePelvisLeansForward) {
  const std::vector<SeatShape> shapes = seat_shapes(robot, limbs);
  TreeKinematics tree(robot);
  RobotState state = robot.neutral_state();
  tree.update(state.q);
  const double upright = seat_clearance(shapes, limbs, tree);
  EXPECT_GT(upright, 0.02 * limbs.leg_length());
  EXPECT_LT(upright, 0.3 * limbs.leg_length());
  for (double lean : {0.05, 0.3, 0.8}) {
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(lean, Eigen::Vector3d::UnitY()));
    state.q.segment<4>(3) = turned.coeffs();
    tree.update(state.q);
    EXPECT_NEAR(seat_clearance(shapes, limbs, tree), upright, 1e-6) << lean;
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, LimbsOfARobot, testing::Values("sarcos_real", "coman", "hoap3", "talos", "g1"));

TEST(Limbs, ARobotWithoutLegsIsRefused) { EXPECT_THROW(find_limbs(test::block(3.0)), InvalidValue); }

TEST(SeatShapes, ARobotWithoutLegsGetsNoPads) {
  EXPECT_FALSE(limbs_if_any(test::block(3.0)));
  EXPECT_TRUE(seat_shapes(test::block(3.0)).empty());
}

}  // namespace
}  // namespace aplomb
