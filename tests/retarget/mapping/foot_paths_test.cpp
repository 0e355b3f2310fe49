#include "aplomb/retarget/mapping/foot_paths.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr Eigen::Index kFrames = 101, kLift = 40, kLand = 61;
constexpr double kStep = 0.3, kScale = 0.8, kYaw = 0.2;  // [m], -, [rad]

/// A person who stands on both feet, 0.2 m apart, steps forward with the left one and turns it outwards.
HumanPath stepping() {
  HumanPath human;
  human.rate_hz = 100.0;
  human.com.setZero(3, kFrames);
  human.feet.setZero(12, kFrames);
  for (Eigen::Index i = 0; i < kFrames; ++i) {
    const double u = std::clamp(static_cast<double>(i - kLift) / static_cast<double>(kLand - kLift), 0.0, 1.0);
    const double part = u * u * (3.0 - 2.0 * u);
    human.feet.col(i).head<3>() << kStep * part, 0.1, 0.05 * std::sin(M_PI * part);
    human.feet(5, i) = kYaw * part;
    human.feet.col(i).segment<3>(6) << 0.0, -0.1, 0.0;
  }
  human.contacts = {{ContactSite::left_foot, 0, kLift},
                    {ContactSite::left_foot, kLand, kFrames},
                    {ContactSite::right_foot, 0, kFrames}};
  return human;
}

struct Scene {
  explicit Scene(HumanPath given) : human(std::move(given)), robot(RobotModel::load("sarcos_real")) {
    RobotState state = robot.neutral_state();
    robot.stand_on_soles(state);
    TreeKinematics tree(robot);
    tree.update(state.q);
    overlay.scale = kScale;
    feet = foot_paths(human, robot, tree, overlay);
  }
  HumanPath human;
  RobotModel robot;
  Overlay overlay;
  std::array<FootPath, 2> feet;
};

TEST(FootPaths, AStepIsAsLongAsThePersonsForTheRobotsLegs) {
  const Scene scene(stepping());
  const FootPath &left = scene.feet[0], &right = scene.feet[1];
  ASSERT_EQ(left.places.size(), 2u);
  EXPECT_TRUE(right.stays());
  const Eigen::Isometry3d moved = left.places[1] * left.places[0].inverse();
  const Eigen::Vector3d step = left.places[1].translation() - left.places[0].translation();
  EXPECT_LT((step - Eigen::Vector3d(kScale * kStep, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_LT((rotation_vector(moved.linear()) - kYaw * Eigen::Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_LT((left.moved.col(kFrames - 1) - step).norm(), 1e-12);
  EXPECT_TRUE(left.moved.col(0).isZero(0.0));
}

TEST(FootPaths, InTheAirTheSoleGoesFromOnePlaceToTheNextAsThePersonsDoes) {
  const Scene scene(stepping());
  const FootPath& left = scene.feet[0];
  double highest = 0.0;
  for (Eigen::Index i = 0; i < kFrames; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(left.is_on[at] != 0, i < kLift || i >= kLand) << i;
    highest = std::max(highest, left.pose[at].translation().z() - left.places[0].translation().z());
    if (i > 0) {
      EXPECT_LT((left.pose[at].translation() - left.pose[at - 1].translation()).norm(), 0.025) << i;
    }
  }
  EXPECT_NEAR(highest, kScale * 0.05, 1e-3);
}

TEST(FootPaths, TheShiftPutsTheCentreOfMassWhereThePersonsIsBetweenTheFeet) {
  HumanPath human = stepping();
  for (Eigen::Index i = 0; i < kFrames; ++i) human.com.col(i) << human.feet(0, i) / 2.0, 0.0, 0.9;  // in the middle
  human.com.col(50) = human.feet.col(50).segment<3>(6);  // over the right foot
  human.com.col(90) = human.feet.col(90).head<3>();      // over the left one
  const Scene scene(human);
  const Eigen::Matrix2Xd shift = stance_shift(human, scene.feet);
  ASSERT_EQ(shift.cols(), kFrames);
  EXPECT_LT(shift.col(10).norm(), 1e-12);
  // Both feet are off the mapped ones by the difference of the stances' widths, to their sides.
  const auto mapped = [&](Eigen::Index i) -> Eigen::Vector2d {
    return scene.overlay.map(human.com.col(i)).head<2>() + shift.col(i);
  };
  const auto of_foot = [&](std::size_t side, Eigen::Index i) -> Eigen::Vector2d {
    return scene.feet[side].place_at(i).translation().head<2>();
  };
  EXPECT_NEAR((mapped(50) - of_foot(1, 50)).y(), (mapped(10) - 0.5 * (of_foot(0, 10) + of_foot(1, 10))).y(), 1e-12);
  EXPECT_NEAR((mapped(90) - of_foot(0, 90)).y(), (mapped(10) - 0.5 * (of_foot(0, 10) + of_foot(1, 10))).y(), 1e-12);
}

TEST(FootPaths, WithoutALiftedFootNothingMoves) {
  HumanPath human = stepping();
  human.contacts = {{ContactSite::left_foot, 0, kFrames}, {ContactSite::right_foot, 0, kFrames}};
  const Scene scene(human);
  EXPECT_TRUE(scene.feet[0].stays() && scene.feet[1].stays());
  EXPECT_EQ(stance_shift(human, scene.feet).cols(), 0);
}

}  // namespace
}  // namespace aplomb
