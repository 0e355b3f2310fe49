#include "aplomb/human/plates/joint_moments.hpp"

#include <gtest/gtest.h>

#include "aplomb/human/plates/ground_forces.hpp"
#include "human/synthetic_rise.hpp"

namespace aplomb {
namespace {

using test::FootPlates;
using test::SyntheticMotion;

Skeleton subject() { return make_skeleton(SkeletonSize::light, Sex::male, 1.80, 78.0); }

struct Case {
  SyntheticMotion truth{subject(), 6.0, test::squatting_posture};
  HumanMotion motion = truth.motion(100.0);
  SegmentMotion segments{subject(), motion};
  std::vector<FrameRange> windows{{50, 549}};

  std::vector<std::unique_ptr<ForcePlate>> plates(FootPlates kind) const {
    return test::plates_under(truth, test::Chair::none(truth), /*has_seat_plate=*/false, kind);
  }
  JointMoments moments(FootPlates kind) const {
    const auto result = plates(kind);
    return joint_moments(subject(), motion, segments, ground_forces(result, segments, {.cutoff_hz = 10.0}), windows);
  }
};

Eigen::Index row(const JointMoments& moments, const std::string& name) {
  return std::ranges::find(moments.names, name) - moments.names.begin();
}

TEST(JointMoments, LeaveNoPelvisResidualWhenPlatesAndMotionAgree) {
  const Case given;
  const JointMoments moments = given.moments(FootPlates::one_each);
  EXPECT_TRUE(moments.are_legs_split);
  for (Eigen::Index i = 50; i < 550; ++i) {
    EXPECT_LT(moments.pelvis_residual.col(i).head<3>().norm(), 1.0) << i;  // of 765 N
    EXPECT_LT(moments.pelvis_residual.col(i).tail<3>().norm(), 1.0) << i;
  }
  EXPECT_TRUE(moments.moment.col(49).array().isNaN().all());
  EXPECT_TRUE(moments.moment.col(550).array().isNaN().all());
}

TEST(JointMoments, OfTheKneesInASquatExtendAndBalanceTheForceOnTheFoot) {
  const Case given;
  const JointMoments moments = given.moments(FootPlates::one_each);
  const Eigen::Index bottom = 165;
  // Statics of shank and foot alone, which hardly move at the bottom: the ground's force about the knee.
  const auto plates = given.plates(FootPlates::one_each);
  const GroundForces forces = ground_forces(plates, given.segments, {.cutoff_hz = 10.0});
  const Wrench wrench = forces.sum(bottom, PlateLoad::left_foot);
  const Skeleton skeleton = subject();
  const Eigen::Vector3d knee = given.segments.pose(skeleton.segment("left_shank"), bottom).translation();
  Eigen::Vector3d about_knee = wrench.moment - knee.cross(wrench.force);
  for (const char* name : {"left_shank", "left_foot"}) {
    const int index = skeleton.segment(name);
    const Inertia& inertia = skeleton.segments[static_cast<std::size_t>(index)].inertia;
    const Eigen::Vector3d arm = given.segments.pose(index, bottom) * inertia.com - knee;
    about_knee += arm.cross(Eigen::Vector3d(0.0, 0.0, -inertia.mass * kGravity));
  }
  const double told = moments.moment(row(moments, "left_knee_flexion"), bottom);
  EXPECT_LT(told, -20.0);                   // extending
  EXPECT_NEAR(told, -about_knee.y(), 1.0);  // the knee turns about y
}

TEST(JointMoments, AreSummedOverTheLegsWhereTheFeetShareAPlate) {
  const Case given;
  const JointMoments apart = given.moments(FootPlates::one_each), shared = given.moments(FootPlates::shared);
  EXPECT_FALSE(shared.are_legs_split);
  EXPECT_FALSE(shared.note.empty());
  for (const std::string joint : {"knee_flexion", "hip_flexion", "ankle_dorsiflexion"}) {
    const auto left = row(apart, "left_" + joint), right = row(apart, "right_" + joint);
    for (Eigen::Index i = 50; i < 550; i += 10) {
      EXPECT_NEAR(shared.moment(left, i), apart.moment(left, i) + apart.moment(right, i), 0.5) << joint << i;
      EXPECT_EQ(shared.moment(left, i), shared.moment(right, i));
    }
  }
  EXPECT_TRUE(std::isnan(shared.moment(row(shared, "left_hip_abduction"), 300)));
  // The trunk does not feel which leg carries.
  EXPECT_NEAR(shared.moment(row(shared, "lumbar_flexion"), 300), apart.moment(row(apart, "lumbar_flexion"), 300), 1e-9);
}

TEST(JointMoments, OfTheMotionAloneAreThoseOfThePlatesInASymmetricSquat) {
  const Case given;
  const JointMoments measured = given.moments(FootPlates::one_each);
  const PlateJudgement alone = judge_by_plates(subject(), given.motion, {}, {.cutoff_hz = 10.0});
  const JointMoments& estimated = alone.moments;
  EXPECT_FALSE(estimated.are_measured);
  EXPECT_FALSE(estimated.note.empty());
  EXPECT_TRUE(measured.are_measured);
  for (const std::string joint : {"knee_flexion", "hip_flexion", "ankle_dorsiflexion"}) {
    for (const std::string side : {"left_", "right_"}) {
      for (Eigen::Index i = 60; i < 540; i += 10) {
        EXPECT_NEAR(estimated.moment(row(estimated, side + joint), i), measured.moment(row(measured, side + joint), i),
                    8.0)
            << side << joint << i;  // of 100; the horizontal CoM is low-passed at the skin's cut-off
      }
    }
  }
}

}  // namespace
}  // namespace aplomb
