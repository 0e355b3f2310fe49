#include "aplomb/human/skeleton/skeleton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/skeleton/landmarks.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

struct Case {
  SkeletonSize size;
  Sex sex;
};

class SkeletonOfBothSizes : public testing::TestWithParam<Case> {
 protected:
  Skeleton skeleton = make_skeleton(GetParam().size, GetParam().sex, 1.68, 63.0);
};

TEST_P(SkeletonOfBothSizes, HasItsCoordinatesHeightAndMass) {
  EXPECT_EQ(skeleton.num_coordinates(), GetParam().size == SkeletonSize::light ? 47 : 155);
  EXPECT_NEAR(skeleton.height(), 1.68, 1e-12);
  const RobotModel robot = human_robot(skeleton);
  EXPECT_EQ(robot.nv(), skeleton.num_coordinates());
  EXPECT_NEAR(robot.mass(), 63.0, 1e-9);
}

TEST_P(SkeletonOfBothSizes, IsTheSameOnBothSides) {
  for (const Segment& segment : skeleton.segments) {
    const Segment& twin = skeleton.segments[static_cast<std::size_t>(segment.mirror)];
    EXPECT_EQ(skeleton.segments[static_cast<std::size_t>(twin.mirror)].name, segment.name);
    const Eigen::Vector3d mirrored(twin.joint.x(), -twin.joint.y(), twin.joint.z());
    EXPECT_LT((segment.joint - mirrored).norm(), 1e-15) << segment.name;
    EXPECT_DOUBLE_EQ(segment.inertia.mass, twin.inertia.mass) << segment.name;
  }
}

TEST_P(SkeletonOfBothSizes, HasItsCentreOfMassWhereStandingPeopleHaveIt) {
  // 0.57 of the height for men, 0.55 for women over the floor, within 0.02; nothing to the side, near the ankles'
  // front.
  const RobotModel robot = human_robot(skeleton);
  RobotTerms terms(robot, {});
  terms.update(robot.neutral_state());
  const double hip_height = skeleton.height() * 0.94 / kGenericHeight;
  EXPECT_NEAR((terms.com().z() + hip_height) / skeleton.height(), GetParam().sex == Sex::male ? 0.57 : 0.56, 0.02);
  EXPECT_NEAR(terms.com().y(), 0.0, 1e-12);
  EXPECT_NEAR(terms.com().x(), 0.0, 0.03);
}

TEST_P(SkeletonOfBothSizes, HoldsEveryLandmarkOnASegmentOfItsOwn) {
  for (const Landmark& landmark : landmarks()) {
    EXPECT_NO_THROW(skeleton.segment(landmark.segment_of(skeleton.size))) << landmark.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SkeletonOfBothSizes,
                         testing::Values(Case{SkeletonSize::light, Sex::male}, Case{SkeletonSize::light, Sex::female},
                                         Case{SkeletonSize::full, Sex::male}, Case{SkeletonSize::full, Sex::female}));

TEST(Skeleton, OfBothSizesHasTheSameCentreOfMass) {
  Eigen::Vector3d com[2];
  for (const SkeletonSize size : {SkeletonSize::light, SkeletonSize::full}) {
    const RobotModel robot = human_robot(make_skeleton(size, Sex::male, 1.75, 70.0));
    RobotTerms terms(robot, {});
    terms.update(robot.neutral_state());
    com[size == SkeletonSize::light ? 0 : 1] = terms.com();
  }
  EXPECT_LT((com[0] - com[1]).norm(), 0.003) << com[0].transpose() << " / " << com[1].transpose();
}

}  // namespace
}  // namespace aplomb
