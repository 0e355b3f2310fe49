#include "aplomb/human/subject/motion_uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/human/fit/marker_variance.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"
#include "human/synthetic_rise.hpp"
#include "human/synthetic_subject.hpp"

namespace aplomb {
namespace {

using test::SyntheticMotion;

Skeleton true_body() { return make_skeleton(SkeletonSize::light, Sex::female, 1.66, 60.0); }

/// A body that differs from the true one by about a standard deviation of the prior.
Skeleton wrong_body() {
  return with_mass_parameters(true_body(), {.trunk_shift = {0.018, 0.008, -0.02}, .thigh_mass = 0.04});
}

const SyntheticMotion& rises() {
  static const SyntheticMotion motion(true_body(), 3.0 * test::kCycle, test::rising_posture);
  return motion;
}
const SyntheticMotion& squats() {
  static const SyntheticMotion motion(true_body(), 6.0, test::squatting_posture);
  return motion;
}
std::vector<std::unique_ptr<ForcePlate>> plates_of_rises() {
  return test::plates_under(rises(), test::Chair::under(rises()), /*has_seat_plate=*/true);
}
std::vector<std::unique_ptr<ForcePlate>> plates_of_squats() {
  return test::plates_under(squats(), test::Chair::none(squats()), /*has_seat_plate=*/false);
}

/// Errors of the CoM over its standard deviations.
Matrix3Xd normalised_errors(const PlateJudgement& judgement, const SyntheticMotion& truth) {
  Matrix3Xd errors = judgement.body.com;
  for (Eigen::Index i = 0; i < errors.cols(); ++i) {
    errors.col(i) -= truth.com().col(10 * i);
    errors.col(i).array() /= judgement.uncertainty.com.col(i).array();
  }
  return errors;
}

TEST(MotionUncertainty, CoversAWrongBodyAndShrinksWithPlates) {
  const HumanMotion motion = rises().motion(100.0);
  const PlateJudgement alone = judge_by_plates(wrong_body(), motion, {}, {});
  EXPECT_LT(normalised_errors(alone, rises()).cwiseAbs().maxCoeff(), 2.0);
  EXPECT_GT(normalised_errors(alone, rises()).topRows<2>().cwiseAbs().maxCoeff(), 0.5) << "the body is not wrong";
  const PlateJudgement plated = judge_by_plates(wrong_body(), motion, plates_of_rises(), {});
  const auto size = [](const PlateJudgement& judgement) {
    return judgement.uncertainty.com.row(0).norm() / std::sqrt(static_cast<double>(judgement.body.num_frames()));
  };
  EXPECT_LT(size(plated), 0.5 * size(alone));
  ASSERT_TRUE(plated.adjustment);
  EXPECT_GT(plated.adjustment->judged_within_two_deviations, 0.9);
}

TEST(MotionUncertainty, OfTheCopGrowsWhereTheFeetCarryLittle) {
  const HumanMotion motion = squats().motion(100.0);
  const PlateJudgement judgement = judge_by_plates(true_body(), motion, plates_of_squats(), {});
  Eigen::Index light = 0, heavy = 0;
  const Eigen::Index end = 30, inside = judgement.body.num_frames() - 2 * end;
  judgement.body.force.row(2).segment(end, inside).minCoeff(&light);
  judgement.body.force.row(2).segment(end, inside).maxCoeff(&heavy);
  EXPECT_GT(judgement.uncertainty.cop(0, end + light), judgement.uncertainty.cop(0, end + heavy));
}

TEST(JudgeTogether, FitsOneMassDistributionAndJudgesEachMotionByTheOthers) {
  const HumanMotion up = rises().motion(100.0), down = squats().motion(100.0);
  const auto up_plates = plates_of_rises(), down_plates = plates_of_squats();
  const std::vector<std::unique_ptr<ForcePlate>> none;
  const std::vector<PlatedMotion> motions{{up, up_plates, {}}, {down, down_plates, {}}, {down, none, {}}};
  const std::vector<PlateJudgement> together = judge_together(wrong_body(), motions);
  ASSERT_EQ(together.size(), 3u);
  ASSERT_TRUE(together[0].adjustment && together[1].adjustment);
  EXPECT_FALSE(together[2].adjustment);
  EXPECT_EQ(together[0].adjustment->parameters.vector(), together[1].adjustment->parameters.vector());
  for (std::size_t i = 0; i < 2; ++i) {
    const MassAdjustment& found = *together[i].adjustment;
    EXPECT_TRUE(found.fitted_windows.size() == together[i].windows.size());
    EXPECT_LT(found.judged_after.cop_x.rms, 0.5 * found.judged_before.cop_x.rms) << i;
    EXPECT_TRUE(together[i].verdict.is_accepted) << together[i].verdict.text;
  }
  // The motion without plates has the others' masses.
  for (std::size_t k = 0; k < together[1].skeleton.segments.size(); ++k) {
    const Eigen::Vector3d difference =
        together[2].skeleton.segments[k].inertia.com - together[1].skeleton.segments[k].inertia.com;
    EXPECT_LT(difference.norm(), 1e-12);
  }
}

TEST(MarkerVariance, NamesAnUnseenTrunkAndMakesTheComUncertain) {
  const test::SyntheticSubject whole(test::set_named("opencap_study"), 1.75, /*seed=*/3, /*noise_m=*/0.001,
                                     /*frames=*/50);
  MarkerTrack track = track_markers(whole.points, whole.subject, Eigen::Matrix3d::Identity());
  const SegmentMotion segments(whole.subject.skeleton, whole.motion);
  const auto deviation = [&]() -> Eigen::Vector3d {
    return marker_variance(track, whole.subject, segments).rowwise().mean().cwiseSqrt();
  };
  const Eigen::Vector3d complete = deviation();
  EXPECT_LT(complete.maxCoeff(), 0.005);
  for (std::size_t i = 0; i < track.num_markers; ++i) {
    const int segment = whole.subject.markers[i].segment;
    const std::string& name = whole.subject.skeleton.segments[static_cast<std::size_t>(segment)].name;
    if (name == "pelvis" || name.find("thigh") != std::string::npos || name.find("shank") != std::string::npos ||
        name.find("foot") != std::string::npos) {
      continue;
    }
    for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
      track.positions[frame * track.num_markers + i].setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  const std::vector<std::string> unseen = unseen_segments(track, whole.subject);
  EXPECT_EQ(unseen, std::vector<std::string>{"lumbar"});  // the first of the chain stands for thorax, head and arms
  EXPECT_GT(deviation().x(), 0.03);
}

}  // namespace
}  // namespace aplomb
