#include "aplomb/retarget/mapping/adopt_posture.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/retarget/mapping/seat.hpp"

namespace aplomb {
namespace {

class AdoptPosture : public testing::TestWithParam<const char*> {};

TEST_P(AdoptPosture, TakesTrunkAndArmsOfThePersonAndLeavesFeetAndHips) {
  std::optional<RobotModel> robot;
  try {
    robot = RobotModel::load(GetParam());
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Limbs limbs = find_limbs(*robot);
  const RobotState seated = sit_down(*robot, limbs, {}).state;
  LimbAngleReader reader(*robot);
  LimbAngles person = reader.at(seated.q);
  person.trunk += 0.15;
  for (std::size_t side = 0; side < 2; ++side) {
    person.shoulder[side] = 0.2;
    person.elbow[side] = 1.4;
  }
  const RobotState adopted = adopt_posture(*robot, limbs, seated, person);
  const LimbAngles angles = reader.at(adopted.q);
  EXPECT_NEAR(angles.trunk, person.trunk, 0.01);
  for (std::size_t side = 0; side < 2; ++side) {
    EXPECT_NEAR(angles.shoulder[side], person.shoulder[side], 0.02);
    EXPECT_NEAR(angles.elbow[side], person.elbow[side], 0.02);
  }
  TreeKinematics before(*robot), after(*robot);
  before.update(seated.q);
  after.update(adopted.q);
  for (const Limbs::Leg& leg : limbs.legs) {
    EXPECT_LT((after.origin(leg.foot) - before.origin(leg.foot)).norm(), 1e-4);
    EXPECT_LT((after.rotation(leg.foot) - before.rotation(leg.foot)).norm(), 1e-4);
    EXPECT_LT((after.origin(leg.hip + 1) - before.origin(leg.hip + 1)).norm(), 1e-3);
  }
  for (int i = 0; i < robot->num_joints(); ++i) {
    const Joint& joint = robot->joints()[static_cast<std::size_t>(i)];
    EXPECT_GE(adopted.q[7 + i], std::min(joint.lower, seated.q[7 + i])) << joint.name;
    EXPECT_LE(adopted.q[7 + i], std::max(joint.upper, seated.q[7 + i])) << joint.name;
  }
}

TEST_P(AdoptPosture, OfAPersonWithTheRobotsAnglesChangesNothing) {
  std::optional<RobotModel> robot;
  try {
    robot = RobotModel::load(GetParam());
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Limbs limbs = find_limbs(*robot);
  const RobotState seated = sit_down(*robot, limbs, {}).state;
  const LimbAngles same = LimbAngleReader(*robot).at(seated.q);
  EXPECT_LT((adopt_posture(*robot, limbs, seated, same).q - seated.q).norm(), 1e-6);
}

TEST_P(AdoptPosture, StandsOverAGivenPointWithThePersonsTrunkAndKnees) {
  std::optional<RobotModel> robot;
  try {
    robot = RobotModel::load(GetParam());
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Limbs limbs = find_limbs(*robot);
  RobotState start = robot->posture("half_sitting");
  robot->stand_on_soles(start);
  LimbAngleReader reader(*robot);
  LimbAngles person = reader.at(start.q);
  person.trunk += 0.1;
  for (double& knee : person.knee) knee = 0.3;
  TreeKinematics before(*robot), after(*robot);
  before.update(start.q);
  const Eigen::Vector2d over = limbs.ankles(before).head<2>() + Eigen::Vector2d(0.02, 0.0);
  const RobotState adopted = adopt_standing_posture(*robot, limbs, start, person, over);
  after.update(adopted.q);
  EXPECT_LT((after.com().head<2>() - over).norm(), 1e-4);
  const LimbAngles angles = reader.at(adopted.q);
  EXPECT_NEAR(angles.trunk, person.trunk, 0.02);
  for (std::size_t side = 0; side < 2; ++side) {
    EXPECT_NEAR(angles.knee[side], person.knee[side], 0.02);
    EXPECT_LT((after.origin(limbs.legs[side].foot) - before.origin(limbs.legs[side].foot)).norm(), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, AdoptPosture, testing::Values("sarcos_real", "talos", "g1", "coman", "icub"));

}  // namespace
}  // namespace aplomb
