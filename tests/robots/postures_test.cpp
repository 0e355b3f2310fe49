// Every robot of ours can be put on its feet as it is, and stay there.
#include <gtest/gtest.h>

#include <algorithm>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

class HalfSitting : public testing::TestWithParam<std::string> {
 protected:
  const RobotModel model_ = test::our_robot(GetParam());
  const RobotState state_ = model_.posture("half_sitting");
};

TEST_P(HalfSitting, HasTheCentreOfMassOverTheMiddleOfTheSoles) {
  // posture() puts the mid-point of the soles' centres at the origin.
  EXPECT_LT(test::terms_at(model_, state_).com().head<2>().norm(), 1e-5);
}

TEST_P(HalfSitting, StandsOnFlatParallelFeetUnderTheHips) {
  for (const Side side : {kLeft, kRight}) {
    const std::string& foot = model_.description().roles.foot[side];
    const Eigen::Isometry3d T_world_foot = test::pose_of(model_, state_, foot);
    EXPECT_LT((T_world_foot.linear() - Eigen::Matrix3d::Identity()).norm(), 1e-5);  // angles have six decimals
    EXPECT_NEAR((T_world_foot * model_.description().soles[side]->centre()).z(), 0.0, 1e-6);
    // Under the hips: as far apart as with straight legs.
    const Eigen::Isometry3d straight = test::pose_of(model_, test::zero_state(model_), foot);
    EXPECT_NEAR(T_world_foot.translation().y(), straight.translation().y(), 1e-5);
  }
}

TEST_P(HalfSitting, KeepsTheTrunkUpright) {
  const Eigen::Isometry3d T_world_trunk = test::pose_of(model_, state_, model_.description().roles.trunk);
  const double tilt = std::acos(std::min(1.0, T_world_trunk.linear()(2, 2)));
  // HOAP-3's waist cannot be straight (1 degree at least), nor hold the trunk upright with its 2 N m: 5 degrees.
  EXPECT_LT(tilt, GetParam() == "hoap3" ? 0.0873 : 1e-5);
}

TEST_P(HalfSitting, StaysClearOfTheJointLimits) {
  for (int i = 0; i < model_.num_joints(); ++i) {
    const Joint& joint = model_.joints()[static_cast<std::size_t>(i)];
    const double angle = state_.q[7 + i];
    // Elbows and some hips have a limit at zero or one degree away from it; where a joint is bent, 0.05 rad is kept.
    const double margin = angle == 0.0 ? 0.0 : 0.05;
    EXPECT_GE(angle, joint.lower + margin) << joint.name;
    EXPECT_LE(angle, joint.upper - margin) << joint.name;
  }
}

TEST_P(HalfSitting, BendsBothKneesAlike) {
  std::vector<double> knees;
  for (int i = 0; i < model_.num_joints(); ++i) {
    const std::string& name = model_.joints()[static_cast<std::size_t>(i)].name;
    const bool is_knee = name.ends_with("knee") || name.ends_with("KneeSag") || name.ends_with("LEG_J4");
    if (is_knee) knees.push_back(state_.q[7 + i]);
  }
  ASSERT_EQ(knees.size(), 2u);
  EXPECT_NEAR(knees[0], knees[1], 1e-5);
  EXPECT_GE(knees[0], 0.4);  // well away from the straight, singular leg
  EXPECT_LE(knees[0], 0.7);
}

TEST_P(HalfSitting, NeedsLessThanSixTenthsOfEachTorqueLimit) {
  const RobotTerms terms = test::terms_at(model_, state_, sole_frames(model_));
  StaticTorque statics(model_);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  for (int i = 0; i < model_.num_joints(); ++i) {
    const Joint& joint = model_.joints()[static_cast<std::size_t>(i)];
    EXPECT_LT(std::abs(torque[i]), 0.6 * joint.effort) << joint.name;
  }
  // The feet carry all: nothing is left for the base to hold.
  EXPECT_LT(statics.base_residual().norm(), 1e-9 * model_.mass() * kGravity);
}

INSTANTIATE_TEST_SUITE_P(OurRobots, HalfSitting, testing::ValuesIn(test::kOurRobots),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
