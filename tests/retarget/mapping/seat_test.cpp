#include "aplomb/retarget/mapping/seat.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {
namespace {

class Seated : public testing::TestWithParam<const char*> {
 protected:
  RobotModel robot = RobotModel::load(GetParam());
  Limbs limbs = find_limbs(robot);
};

TEST_P(Seated, HasFlatFeetAndHipsAtTheChairsHeight) {
  const SeatedRobot seated = sit_down(robot, limbs, {});
  TreeKinematics tree(robot);
  tree.update(seated.state.q);
  EXPECT_NEAR(tree.point(limbs.pelvis, limbs.hips).z(), seated.hip_height(), 1e-6);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string& link = robot.description().roles.foot[side];
    const LinkPlacement& foot = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
    for (const Eigen::Vector3d& corner : robot.description().soles[side]->corners()) {
      EXPECT_NEAR(tree.point(foot.body, foot.T_body_link * corner).z(), 0.0, 1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Seated, testing::Values("sarcos_real", "coman", "hoap3", "talos", "g1"));

TEST(SitDown, AChairThatIsTooLowIsRefusedWithAHeightThatIsPossible) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  try {
    sit_down(robot, find_limbs(robot), 0.02);
    FAIL() << "sat on a chair of 2 cm";
  } catch (const InvalidValue& error) {
    EXPECT_NE(std::string(error.what()).find("it can from"), std::string::npos) << error.what();
  }
}

TEST(SitDown, TheChairOfTheMeasuredPostureYieldsThatPosture) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const SeatedRobot measured = sit_down(robot, find_limbs(robot), {});
  ASSERT_TRUE(measured.is_measured);
  EXPECT_EQ(sit_down(robot, find_limbs(robot), measured.chair_height).state.q, measured.state.q);
}

TEST(LinkMap, MapsSegmentsByRolesAndByTheUsersChoice) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const Skeleton skeleton = make_skeleton(SkeletonSize::light, Sex::male, 1.75, 70.0);
  const LinkMap map =
      make_link_map(skeleton, robot, find_limbs(robot), {{"head", "none"}, {"left_hand", "left_forearm"}});
  EXPECT_EQ(map.of(skeleton.segment("right_thigh")).link, "right_thigh");
  EXPECT_EQ(map.of(skeleton.segment("right_forearm")).link, "right_forearm");
  EXPECT_EQ(map.of(skeleton.segment("thorax")).link, "torso");
  EXPECT_EQ(map.of(skeleton.segment("left_hand")).link, "left_forearm");
  EXPECT_LT(map.of(skeleton.segment("head")).body, 0);
  EXPECT_THROW(make_link_map(skeleton, robot, find_limbs(robot), {{"tail", "torso"}}), UnknownName);
  EXPECT_THROW(make_link_map(skeleton, robot, find_limbs(robot), {{"head", "tail"}}), UnknownName);
}

}  // namespace
}  // namespace aplomb
