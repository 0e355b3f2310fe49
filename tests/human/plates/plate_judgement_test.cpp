#include "aplomb/human/plate_judgement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/human/plates/ground_forces.hpp"
#include "aplomb/human/plates/plate_agreement.hpp"
#include "aplomb/human/subject/mass_adjustment.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"
#include "human/synthetic_rise.hpp"

namespace aplomb {
namespace {

using test::SyntheticMotion;

Skeleton subject() { return make_skeleton(SkeletonSize::light, Sex::female, 1.66, 60.0); }

const SyntheticMotion& five_rises() {
  static const SyntheticMotion motion(subject(), 5.0 * test::kCycle, test::rising_posture);
  return motion;
}
const test::Chair& chair() {
  static const test::Chair result = test::Chair::under(five_rises());
  return result;
}
std::vector<std::unique_ptr<ForcePlate>> rise_plates(bool has_seat_plate) {
  return test::plates_under(five_rises(), chair(), has_seat_plate);
}
const SyntheticMotion& two_squats() {
  static const SyntheticMotion motion(subject(), 6.0, test::squatting_posture);
  return motion;
}

std::vector<std::unique_ptr<ForcePlate>> squat_plates() {
  return test::plates_under(two_squats(), test::Chair::none(two_squats()), /*has_seat_plate=*/false);
}

TEST(CentroidalMotion, PredictsTheForceAndCopOfExactInverseDynamics) {
  const Skeleton skeleton = subject();
  const HumanMotion motion = two_squats().motion(100.0);
  const SegmentMotion segments(skeleton, motion);
  // A cut-off far above the motion: nothing is lost on either side.
  const CentroidalMotion body = centroidal_motion(segments, skeleton, 20.0);
  for (Eigen::Index i = 20; i + 20 < body.num_frames(); ++i) {
    const Wrench& exact = two_squats().wrenches()[static_cast<std::size_t>(10 * i)];
    EXPECT_LT((body.force.col(i) - exact.force).norm(), 0.5) << i;  // of 590 N; the motion varies by 150 N
    EXPECT_LT((body.cop(i, 0.0) - centre_of_pressure(exact, 0.0)).norm(), 0.5e-3) << i;
    EXPECT_LT((body.com.col(i) - two_squats().com().col(10 * i)).norm(), 1e-4) << i;
  }
}

TEST(CentroidalMotion, ForceIsMassTimesComAccelerationAndCopFollowsTheZmpFormula) {
  const Skeleton skeleton = subject();
  const SegmentMotion segments(skeleton, two_squats().motion(100.0));
  const CentroidalMotion body = centroidal_motion(segments, skeleton, 4.0);
  for (Eigen::Index i = 0; i < body.num_frames(); i += 7) {
    const Eigen::Vector3d c = body.com.col(i), a = body.com_acceleration.col(i),
                          rate = body.angular_momentum_rate.col(i);
    EXPECT_LT((body.force.col(i) - 60.0 * (a + Eigen::Vector3d(0, 0, kGravity))).norm(), 1e-9);
    if (i < 10 || i + 10 >= body.num_frames()) continue;
    const double lift = 60.0 * (kGravity + a.z());
    const Eigen::Vector2d zmp(c.x() - 60.0 * c.z() * a.x() / lift - rate.y() / lift,
                              c.y() - 60.0 * c.z() * a.y() / lift + rate.x() / lift);
    EXPECT_LT((body.cop(i, 0.0) - zmp).norm(), 1e-4) << i;  // k is result of filtered parts, its rate differenced anew
  }
}

TEST(CentroidalMotion, IsInvariantToTheSignOfQuaternions) {
  HumanMotion motion = two_squats().motion(100.0);
  const Skeleton skeleton = subject();
  const CentroidalMotion body = centroidal_motion(SegmentMotion(skeleton, motion), skeleton, 4.0);
  for (Eigen::Index i = 0; i < motion.num_frames(); i += 3) motion.q.col(i).segment<4>(3) *= -1.0;
  const CentroidalMotion turned = centroidal_motion(SegmentMotion(skeleton, motion), skeleton, 4.0);
  EXPECT_LT((body.moment - turned.moment).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(GroundForces, AssignPlatesToFeetAndSeatInTheMotionsFrame) {
  const SegmentMotion segments(subject(), five_rises().motion(100.0));
  auto plates = rise_plates(/*has_seat_plate=*/true);
  const GroundForces forces = ground_forces(plates, segments, {});
  EXPECT_EQ(forces.plates[0].main_load, PlateLoad::right_foot);
  EXPECT_EQ(forces.plates[1].main_load, PlateLoad::left_foot);
  EXPECT_EQ(forces.plates[2].main_load, PlateLoad::seat);
  EXPECT_NEAR(forces.plane_height, 0.0, 1e-12);
  plates = test::plates_under(five_rises(), chair(), /*has_seat_plate=*/false, test::FootPlates::shared);
  EXPECT_EQ(ground_forces(plates, segments, {}).plates[0].main_load, PlateLoad::both_feet);
}

TEST(GroundForces, FollowTheMotionWhenItIsRotated) {
  // The motion is turned and moved; the plates stay in the lab and are turned by T_motion_lab.
  Eigen::Isometry3d T = Eigen::Translation3d(0.5, -0.3, 0.0) * Eigen::AngleAxisd(1.9, Eigen::Vector3d::UnitZ());
  HumanMotion motion = two_squats().motion(100.0);
  for (Eigen::Index i = 0; i < motion.num_frames(); ++i) {
    const Eigen::Quaterniond turn(Eigen::Vector4d(motion.q.col(i).segment<4>(3)));
    motion.q.col(i).head<3>() = T * Eigen::Vector3d(motion.q.col(i).head<3>());
    motion.q.col(i).segment<4>(3) = (Eigen::Quaterniond(T.linear()) * turn).coeffs();
  }
  const Skeleton skeleton = subject();
  const auto plates = squat_plates();
  const SegmentMotion segments(skeleton, motion);
  const GroundForces forces = ground_forces(plates, segments, {.T_motion_lab = T});
  const CentroidalMotion body = centroidal_motion(segments, skeleton, 4.0);
  const PlateAgreement agreement = plate_agreement(body, forces, {{30, motion.num_frames() - 31}});
  EXPECT_LT(agreement.cop_x.max, 1e-3);
  EXPECT_LT(agreement.cop_y.max, 1e-3);
}

TEST(Rises, AreFoundFromEveryKindOfEvidence) {
  const Skeleton skeleton = subject();
  const HumanMotion motion = five_rises().motion(100.0);
  for (const bool has_seat_plate : {true, false}) {
    const auto plates = rise_plates(has_seat_plate);
    const PlateJudgement judgement = judge_by_plates(skeleton, motion, plates, {});
    ASSERT_EQ(judgement.rises.rises.size(), 5u);
    EXPECT_EQ(judgement.rises.evidence, has_seat_plate ? SeatEvidence::seat_plate : SeatEvidence::foot_plates);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(judgement.rises.rises[i].seat_off_s.value(), chair().off_s[i], 0.02) << has_seat_plate;
      EXPECT_NEAR(judgement.rises.rises[i].seat_on_s.value(), chair().on_s[i], 0.02) << has_seat_plate;
    }
  }
}

TEST(Rises, OfTheMotionAloneAreNearTheFastestComOfEachRise) {
  const Skeleton skeleton = subject();
  const PlateJudgement judgement = judge_by_plates(skeleton, five_rises().motion(100.0), {}, {});
  EXPECT_EQ(judgement.rises.evidence, SeatEvidence::motion);
  ASSERT_EQ(judgement.rises.rises.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(judgement.rises.rises[i].seat_off_s.value(), chair().off_s[i], 0.06);
    EXPECT_NEAR(judgement.rises.rises[i].seat_on_s.value(), chair().on_s[i], 0.06);
  }
}

TEST(Rises, NeedASeat) {
  const Skeleton skeleton = subject();
  const HumanMotion motion = two_squats().motion(100.0);
  const auto plates = squat_plates();
  EXPECT_TRUE(judge_by_plates(skeleton, motion, {}, {}).rises.rises.empty());
  const PlateJudgement judgement = judge_by_plates(skeleton, motion, plates, {});
  EXPECT_TRUE(judgement.rises.rises.empty());
  ASSERT_EQ(judgement.windows.size(), 1u);
  EXPECT_EQ(judgement.windows[0].size(), motion.num_frames() - 2 * 15);  // all but 0.15 s at each end
}

TEST(PlateMass, IsTheBodysIndependentOfTheStatedMass) {
  for (const bool has_seat_plate : {true, false}) {
    const auto plates = rise_plates(has_seat_plate);
    const PlateJudgement judgement =
        judge_by_plates(subject(), five_rises().motion(100.0), plates, {.stated_mass = 62.6});
    EXPECT_NEAR(judgement.mass.value().mass, 60.0, 0.05) << has_seat_plate;
    EXPECT_NEAR(judgement.skeleton.mass, judgement.mass->mass, 1e-9);
    EXPECT_TRUE(std::ranges::any_of(judgement.warnings, [](const std::string& warning) {
      return warning.find("62.6 kg was stated") != std::string::npos;
    }));
  }
}

TEST(PlateLag, IsEstimatedAndCompensated) {
  const auto plates = rise_plates(false);
  HumanMotion motion = five_rises().motion(100.0);
  motion.start_s = -0.012;  // the markers tell 12 ms too early
  const PlateJudgement judgement = judge_by_plates(subject(), motion, plates, {});
  EXPECT_NEAR(judgement.forces.lag_s, 0.012, 0.002);
}

Skeleton heavy_thighs() {
  Skeleton skeleton = subject();
  for (Segment& segment : skeleton.segments) {
    const double factor = segment.name.ends_with("_thigh") ? 1.15 : is_trunk(segment.name) ? 0.90 : 1.0;
    segment.inertia.mass *= factor;
    segment.inertia.about_com *= factor;
  }
  return skeleton;
}
Skeleton shifted_trunk() {
  Skeleton skeleton = subject();
  for (Segment& segment : skeleton.segments) {
    if (is_trunk(segment.name)) segment.inertia.com.x() += 0.020;
  }
  return skeleton;
}

/// RMS of the CoM's error forwards, of a skeleton with the final masses.
double com_x_error(const PlateJudgement& judgement, const SyntheticMotion& truth) {
  double squares = 0.0;
  for (Eigen::Index i = 0; i < judgement.body.num_frames(); ++i) {
    squares += std::pow(judgement.body.com(0, i) - truth.com()(0, 10 * i), 2);
  }
  return std::sqrt(squares / static_cast<double>(judgement.body.num_frames()));
}

class WrongMasses : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(WrongMasses, AreCorrectedFromTheFittedRises) {
  const auto [kind, has_seat_plate] = GetParam();
  const Skeleton wrong = kind == 0 ? heavy_thighs() : shifted_trunk();
  const auto plates = rise_plates(has_seat_plate);
  const HumanMotion motion = five_rises().motion(100.0);
  const PlateJudgement as_it_is = judge_by_plates(wrong, motion, plates, {.adjusts_masses = false});
  const PlateJudgement adjusted = judge_by_plates(wrong, motion, plates, {});
  EXPECT_GT(com_x_error(as_it_is, five_rises()), 0.003);
  // 1.33 mm at worst: instruments low-passed at a quarter of the cut-off see less of the motion than at a half (below
  // 1).
  EXPECT_LT(com_x_error(adjusted, five_rises()), 0.0015);
  ASSERT_TRUE(adjusted.adjustment);
  EXPECT_LT(adjusted.adjustment->judged_after.cop_x.rms, 0.002);
  EXPECT_GT(adjusted.adjustment->judged_before.cop_x.rms, adjusted.adjustment->judged_after.cop_x.rms);
  EXPECT_TRUE(adjusted.verdict.is_accepted) << adjusted.verdict.text;
}
INSTANTIATE_TEST_SUITE_P(Both, WrongMasses, testing::Combine(testing::Values(0, 1), testing::Bool()));

TEST(MassAdjustment, LeavesTrueMassesAloneWhenThePosturesAreNoisy) {
  // A trunk that trembles in the markers' eyes, not on the plates: the masses are not to blame.
  HumanMotion motion = five_rises().motion(100.0);
  const RobotModel robot = human_robot(subject());
  for (Eigen::Index i = 0; i < motion.num_frames(); ++i) {
    const double time = static_cast<double>(i) / motion.rate_hz;
    motion.q(7 + robot.joint("thorax_flexion"), i) += 0.01 * std::sin(2.0 * std::numbers::pi * 3.3 * time);
  }
  const PlateJudgement judgement = judge_by_plates(subject(), motion, rise_plates(false), {});
  ASSERT_TRUE(judgement.adjustment);
  const MassParameters& found = judgement.adjustment->parameters;
  EXPECT_GT(judgement.adjustment->before.cop_x.rms, 0.005) << "the trembling does not show";
  EXPECT_LT(found.trunk_shift.norm(), 0.010) << found.vector().transpose();  // 20 mm by least squares
}

TEST(Verdict, RejectsATrunkThatIsTenCentimetresAhead) {
  Skeleton wrong = subject();
  for (Segment& segment : wrong.segments) {
    if (is_trunk(segment.name)) segment.inertia.com.x() += 0.10;
  }
  const auto plates = rise_plates(false);
  const PlateJudgement judgement =
      judge_by_plates(wrong, five_rises().motion(100.0), plates, {.adjusts_masses = false});
  EXPECT_FALSE(judgement.verdict.is_accepted);
  EXPECT_NE(judgement.verdict.text.find("too far forwards"), std::string::npos) << judgement.verdict.text;
}

TEST(Verdict, RejectsATrunkThatIsTenCentimetresToTheLeft) {
  Skeleton wrong = subject();
  for (Segment& segment : wrong.segments) {
    if (is_trunk(segment.name)) segment.inertia.com.y() += 0.10;
  }
  const PlateJudgement judgement =
      judge_by_plates(wrong, five_rises().motion(100.0), rise_plates(false), {.adjusts_masses = false});
  EXPECT_FALSE(judgement.verdict.is_accepted);
  EXPECT_GT(judgement.adjustment.value().judged_after.cop_y.rms, kCopLimit);
  EXPECT_NE(judgement.verdict.text.find("too far left"), std::string::npos) << judgement.verdict.text;
}

TEST(Verdict, RejectsPlatesThatAreThreeCentimetresOffTheirPlace) {
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();
  const HumanMotion motion = five_rises().motion(100.0);
  EXPECT_TRUE(judge_by_plates(subject(), motion, rise_plates(false), {}).verdict.is_accepted);
  for (const Eigen::Vector3d& shift :
       {Eigen::Vector3d(0.03 * x), Eigen::Vector3d(-0.03 * x), Eigen::Vector3d(0.03 * y), Eigen::Vector3d(-0.03 * y)}) {
    const PlateJudgement judgement = judge_by_plates(subject(), motion, rise_plates(false),
                                                     {.T_motion_lab = Eigen::Isometry3d(Eigen::Translation3d(shift))});
    EXPECT_FALSE(judgement.verdict.is_accepted) << shift.transpose();
    EXPECT_NEAR(judgement.adjustment.value().mean_body_offset, 0.03, 0.002);
    EXPECT_NE(judgement.verdict.text.find("are they where the file says"), std::string::npos);
  }
}

TEST(ReactionForces, OfFeetAndSeatFollowFromTheMotionAlone) {
  const PlateJudgement judgement = judge_by_plates(subject(), five_rises().motion(100.0), rise_plates(false), {});
  const ReactionForces& reactions = judgement.reactions;
  ASSERT_TRUE(reactions.is_known()) << reactions.note;
  ASSERT_TRUE(judgement.reaction_agreement);
  EXPECT_LT(judgement.reaction_agreement->feet_force, 0.06);
  EXPECT_LT(judgement.reaction_agreement->seat_share, 0.10);  // this chair presses up to 8 cm behind the body's CoP
  EXPECT_LT(judgement.reaction_agreement->feet_cop, 0.03);
  const PlateJudgement alone = judge_by_plates(subject(), five_rises().motion(100.0), {}, {});
  EXPECT_FALSE(alone.reaction_agreement);
  for (std::size_t contact = 0; contact < ReactionForces::kCount; ++contact) {
    EXPECT_EQ(alone.reactions.force[contact], reactions.force[contact]) << "plates were used";
  }
  for (Eigen::Index i = 0; i < alone.body.num_frames(); i += 13) {
    Wrench sum;
    for (std::size_t contact = 0; contact < ReactionForces::kCount; ++contact) {
      EXPECT_GE(reactions.force[contact](2, i), 0.0);
      const Eigen::Vector3d force = reactions.force[contact].col(i);
      const Eigen::Vector2d cop = reactions.cop[contact].col(i);
      sum.force += force;
      sum.moment += Eigen::Vector3d(cop.x(), cop.y(), reactions.plane_height).cross(force);
    }
    // Newton and Euler: together they are the wrench that the motion requires (but for the free moment).
    EXPECT_LT((sum.force - alone.body.force.col(i)).norm(), 1e-9);
    EXPECT_LT((sum.moment - alone.body.moment.col(i)).head<2>().norm(), 1e-6) << i;
  }
}

TEST(Verdict, RejectsAStatedMassThatThePlatesContradict) {
  for (const double stated : {30.0, 54.0, 66.0, 90.0, 120.0}) {
    const PlateJudgement judgement =
        judge_by_plates(subject(), five_rises().motion(100.0), rise_plates(false), {.stated_mass = stated});
    EXPECT_FALSE(judgement.verdict.is_accepted);
    EXPECT_FALSE(judgement.adjustment);
    EXPECT_NEAR(judgement.mass_disagreement.value(), std::abs(60.0 / stated - 1.0), 0.002);
    EXPECT_NE(judgement.verdict.text.find("contradict the stated mass"), std::string::npos) << judgement.verdict.text;
  }
}

TEST(Verdict, RejectsPlatesThatCarryHalfOfTheBody) {
  auto plates = rise_plates(false);
  plates.pop_back();  // the left foot's
  const PlateJudgement judgement =
      judge_by_plates(subject(), five_rises().motion(100.0), plates, {.stated_mass = 60.0});
  EXPECT_TRUE(judgement.has_plates);
  EXPECT_FALSE(judgement.verdict.is_accepted);
  EXPECT_FALSE(judgement.adjustment);
  EXPECT_GT(judgement.mass_disagreement.value(), 0.3);
}

TEST(Verdict, RejectsPlatesThatWereRecordedForAnotherTime) {
  // 16 s of motion; the plates begin when it is almost over.
  HumanMotion motion = five_rises().motion(100.0);
  motion.start_s = -0.8 * static_cast<double>(motion.num_frames()) / motion.rate_hz;
  const PlateJudgement judgement = judge_by_plates(subject(), motion, rise_plates(false), {});
  EXPECT_FALSE(judgement.verdict.is_accepted);
  EXPECT_NEAR(judgement.coverage, 0.2, 0.01);
  EXPECT_NE(judgement.verdict.text.find("recorded from 0.00"), std::string::npos) << judgement.verdict.text;
}

TEST(Verdict, RejectsForcesOfAnotherMotion) {
  // Squats on the plates, rises before the cameras: same body, same feet.
  HumanMotion motion = five_rises().motion(100.0);
  motion.q.conservativeResize(Eigen::NoChange, two_squats().motion(100.0).num_frames());
  const PlateJudgement judgement = judge_by_plates(subject(), motion, squat_plates(), {.stated_mass = 60.0});
  EXPECT_FALSE(judgement.verdict.is_accepted) << judgement.verdict.text;
  const PlateJudgement right = judge_by_plates(subject(), two_squats().motion(100.0), squat_plates(), {});
  EXPECT_TRUE(right.verdict.is_accepted) << right.verdict.text;
  EXPECT_LT(right.adjustment.value().judged_after.force_z_unexplained.value(), 0.1);
}

TEST(Verdict, LeavesOutForcesThatNoPlateMeasures) {
  class Spiked final : public ForcePlate {
   public:
    explicit Spiked(std::unique_ptr<ForcePlate> plate) : plate_(std::move(plate)) { info_ = plate_->info(); }
    std::size_t num_samples() const override { return plate_->num_samples(); }
    PlateSample sample(std::size_t index) const override {
      PlateSample sample = plate_->sample(index);
      if (index == 2000) sample.force.z() = 1e30;
      return sample;
    }

   private:
    std::unique_ptr<ForcePlate> plate_;
  };
  auto plates = rise_plates(false);
  plates[0] = std::make_unique<Spiked>(std::move(plates[0]));
  const PlateJudgement judgement = judge_by_plates(subject(), five_rises().motion(100.0), plates, {});
  EXPECT_NEAR(judgement.mass.value().mass, 60.0, 0.1);
  EXPECT_TRUE(judgement.verdict.is_accepted) << judgement.verdict.text;
}

/// A plate whose file says that it stands `shift` off its place.
std::unique_ptr<ForcePlate> shifted(const ForcePlate& plate, const Eigen::Vector3d& shift) {
  std::vector<Wrench> wrenches;
  for (std::size_t i = 0; i < plate.num_samples(); ++i) {
    const PlateSample sample = plate.sample(i);
    if (sample.is_loaded) {
      wrenches.push_back({sample.force, (sample.cop + shift).cross(sample.force) + sample.free_moment});
    } else {
      wrenches.push_back({});
    }
  }
  return std::make_unique<test::GivenPlate>(plate.info().name, plate.info().rate_hz, 0.0, std::move(wrenches));
}

TEST(PlateShift, OfOnePlateIsFoundWithItsNameAndDirection) {
  const HumanMotion motion = five_rises().motion(100.0);
  const PlateJudgement right_place = judge_by_plates(subject(), motion, rise_plates(false), {});
  EXPECT_LT(right_place.adjustment.value().plate_shift.value().deviations, kShiftLimit);
  for (const std::size_t which : {0U, 1U}) {
    for (const Eigen::Vector3d& shift : {Eigen::Vector3d(0.03, 0.0, 0.0), Eigen::Vector3d(-0.03, 0.0, 0.0),
                                         Eigen::Vector3d(0.0, 0.03, 0.0), Eigen::Vector3d(0.0, -0.03, 0.0)}) {
      auto plates = rise_plates(false);
      const std::string name = plates[which]->info().name;
      plates[which] = shifted(*plates[which], shift);
      const PlateJudgement judgement = judge_by_plates(subject(), motion, plates, {});
      ASSERT_TRUE(judgement.adjustment && judgement.adjustment->plate_shift) << name;
      const PlateShift& found = *judgement.adjustment->plate_shift;
      EXPECT_GE(found.deviations, kShiftLimit) << name << shift.transpose();
      EXPECT_EQ(found.plate, name) << shift.transpose();
      EXPECT_LT((found.shift - shift.head<2>()).norm(), 0.015) << name << shift.transpose();
      EXPECT_FALSE(judgement.verdict.is_accepted) << judgement.verdict.text;
    }
  }
}

TEST(ReactionForces, OfSteppingFeetAreZeroInTheAirAndAreExchangedWithoutAJump) {
  const Demonstration shown = demonstrate({.style = "step"});
  const PlateJudgement judgement = judge_by_plates(shown.skeleton, shown.motion, {}, {});
  const ReactionForces& reactions = judgement.reactions;
  ASSERT_TRUE(reactions.is_known()) << reactions.note;
  const double weight = judgement.body.mass * kGravity;
  bool has_lifted = false;
  for (Eigen::Index i = 0; i < shown.motion.num_frames(); ++i) {
    const SupportPhase& phase = phase_at(shown.support, shown.sample_of(i));
    double sum = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      const double force = reactions.force[side](2, i);
      EXPECT_GE(force, 0.0) << i;
      sum += force;
      const double before = reactions.force[side](2, std::max<Eigen::Index>(0, i - 1));
      EXPECT_LT(std::abs(force - before), 0.12 * weight) << i;
    }
    const Eigen::Vector3d whole = reactions.force[0].col(i) + reactions.force[1].col(i) + reactions.force[2].col(i);
    EXPECT_NEAR(sum, whole.z(), 1e-9);  // nobody sits
    // In the middle of a swing: this foot is put down and lifted slowly, so that the found events are up to 0.3 s off.
    const bool is_single = phase.is_down[0] != phase.is_down[1];
    const auto same_at = [&](Eigen::Index k) {
      return k >= 0 && k < shown.motion.num_frames() &&
             phase_at(shown.support, shown.sample_of(k)).is_down == phase.is_down;
    };
    if (!is_single || !same_at(i - 30) || !same_at(i + 30)) continue;
    const double in_the_air = reactions.force[phase.is_down[0] ? 1 : 0](2, i);
    EXPECT_LT(in_the_air, 0.02 * weight) << i;
    has_lifted = has_lifted || in_the_air == 0.0;
  }
  EXPECT_TRUE(has_lifted);
}

TEST(SplitWindows, KeepsFittedAndJudgedApart) {
  std::vector<FrameRange> fitted, judged;
  split_windows({{0, 9}, {20, 29}, {40, 49}, {60, 69}, {80, 89}}, fitted, judged);
  EXPECT_EQ(fitted.size(), 2u);
  EXPECT_EQ(judged.size(), 3u);
  split_windows({{10, 99}}, fitted, judged);
  for (const FrameRange& one : fitted) {
    for (const FrameRange& other : judged) EXPECT_TRUE(one.last < other.first || other.last < one.first);
  }
  EXPECT_EQ(fitted[0].size() + fitted[1].size() + judged[0].size() + judged[1].size(), 90);
}

}  // namespace
}  // namespace aplomb
