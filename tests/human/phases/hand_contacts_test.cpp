#include "aplomb/human/phases/hand_contacts.hpp"

#include <gtest/gtest.h>

#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/plate_judgement.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {
namespace {

Demonstration shown_in(const std::string& style, std::uint64_t seed = 1) {
  DemonstratorOptions options{.style = style};
  options.person.seed = seed;
  return demonstrate(options);
}

/// Of the motion alone, without any plate.
HandContacts found_by_motion(const Demonstration& shown) {
  const SegmentMotion segments(shown.skeleton, shown.motion);
  const CentroidalMotion body = centroidal_motion(segments, shown.skeleton, 6.0);
  return find_hand_contacts(shown.skeleton, segments, body, {}, shown.seat_off_s.at(0));
}

/// With the plates of its recording; `has_seat` false: without the one under the chair.
PlateJudgement judged(const Demonstration& shown, bool has_seat) {
  Recording read = to_recording(record(shown, {.plate_noise_n = 1.0}).c3d, "hands");
  if (!has_seat) read.forces.plates.pop_back();
  return judge_by_plates(shown.skeleton, shown.motion, read.forces.plates, {});
}

TEST(Demonstrator, HandsOnArmRestsStayUntilTheReleaseAndLoadNoPlate) {
  const Demonstration shown = shown_in("arm_rests");
  ASSERT_EQ(shown.hands_off_s.size(), 1U);
  EXPECT_GT(shown.hands_off_s[0], shown.seat_off_s[0] + 0.3);
  const RobotModel robot = human_robot(shown.skeleton);
  const std::array<FrameId, 2> hands{robot.frame("left_hand"), robot.frame("right_hand")};
  RobotTerms terms(robot, hands);
  std::array<Eigen::Vector3d, 2> first;
  for (Eigen::Index i = 0; shown.motion.time_s(i) < shown.hands_off_s[0]; ++i) {
    terms.update({shown.motion.q.col(i), Eigen::VectorXd::Zero(robot.nv())});
    for (std::size_t side = 0; side < 2; ++side) {
      const Eigen::Vector3d wrist = terms.frame(hands[side]).T_world_frame.translation();
      if (i == 0) first[side] = wrist;
      ASSERT_LT((wrist - first[side]).norm(), 1e-9) << i;
      EXPECT_LT((wrist - shown.rests[side]).norm(), 0.05);  // the palm is below it
    }
    const Eigen::Index sample = shown.sample_of(i);
    const double missing = shown.forces.force(2, sample) - shown.feet.force(2, sample) - shown.seat.force(2, sample);
    ASSERT_NEAR(missing, shown.hand_share[sample] * shown.forces.force(2, sample), 1e-9);
  }
  EXPECT_NEAR(shown.hand_share.maxCoeff(), 0.30, 1e-3);
  for (const char* style : {"natural", "elderly", "fast", "squat"}) {
    EXPECT_EQ(shown_in(style).hand_share.maxCoeff(), 0.0);
  }
}

TEST(HandContacts, AreFoundFromTheMotionOfAPersonPushingOffArmRests) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Demonstration shown = shown_in("arm_rests", seed);
    const HandContacts found = found_by_motion(shown);
    for (const auto& off_s : found.off_s) {
      ASSERT_TRUE(off_s) << seed;
      EXPECT_NEAR(*off_s, shown.hands_off_s.at(0), 0.12) << seed;  // a hand goes slowly at first
    }
    EXPECT_FALSE(found.share);  // no plates, no force
  }
}

TEST(HandContacts, AreNotFoundWhereHandsHang) {
  for (const char* style : {"natural", "elderly", "fast"}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) EXPECT_FALSE(found_by_motion(shown_in(style, seed)).any()) << style;
  }
}

TEST(HandContacts, CarryTheForceThatThePlatesMiss) {
  const Demonstration shown = shown_in("arm_rests");
  const PlateJudgement judgement = judged(shown, /*has_seat=*/true);
  EXPECT_TRUE(judgement.verdict.is_accepted) << judgement.verdict.text;
  ASSERT_EQ(judgement.rises.rises.size(), 1U);
  const HandContacts& hands = judgement.rises.rises[0].hands;
  ASSERT_TRUE(hands.any() && hands.share);
  EXPECT_NEAR(*hands.share, shown.hand_share.maxCoeff(), 0.03);  // low-passed at 4 Hz
  EXPECT_NEAR(*judgement.rises.rises[0].seat_off_s, shown.seat_off_s.at(0),
              0.12);  // the last 1 % of the seat's load are slow
}

TEST(HandContacts, AreNotTakenForASeatByPlatesUnderTheFeetAlone) {
  const Demonstration shown = shown_in("arm_rests");
  const PlateJudgement judgement = judged(shown, /*has_seat=*/false);
  ASSERT_EQ(judgement.rises.rises.size(), 1U);
  EXPECT_TRUE(judgement.rises.rises[0].hands.any());
  // The hips rise slowly at first; by what the plates miss it would be half a second.
  EXPECT_NEAR(*judgement.rises.rises[0].seat_off_s, shown.seat_off_s.at(0), 0.25);
}

TEST(HandContacts, AreNoneForHoveringHandsWhilePlatesCarryTheWholeBody) {
  Demonstration shown = shown_in("arm_rests");
  // The same motion, all of it on the plates.
  for (Eigen::Index i = 0; i < shown.hand_share.size(); ++i)
    shown.feet.force.col(i) += shown.hand_share[i] * shown.forces.force.col(i);
  EXPECT_FALSE(judged(shown, /*has_seat=*/true).rises.rises.at(0).hands.any());
}

TEST(HandContacts, OnPlatesOfTheirOwnAreMeasured) {
  const Demonstration shown = shown_in("arm_rests", 3);
  const Recording read = to_recording(record(shown, {.plate_noise_n = 1.0}, ArmRestPlates::yes).c3d, "rests");
  ASSERT_EQ(read.forces.plates.size(), 4u);
  const PlateJudgement judgement = judge_by_plates(shown.skeleton, shown.motion, read.forces.plates, {});
  EXPECT_TRUE(judgement.forces.has(PlateLoad::seat));
  EXPECT_TRUE(judgement.forces.has(PlateLoad::left_hand));
  EXPECT_TRUE(judgement.forces.has(PlateLoad::right_hand));
  EXPECT_FALSE(judgement.forces.has(PlateLoad::other));
  // All contacts are measured: the plates carry the whole body all the time, but for the ends.
  ASSERT_EQ(judgement.windows.size(), 1u);
  EXPECT_GT(judgement.windows[0].size(), shown.motion.num_frames() - 40);
  EXPECT_TRUE(judgement.verdict.is_accepted) << judgement.verdict.text;
  EXPECT_LT(judgement.adjustment->after.cop_x.rms, 0.003);
  ASSERT_EQ(judgement.rises.rises.size(), 1u);
  const HandContacts& hands = judgement.rises.rises[0].hands;
  Eigen::Index last = 0;  // sample in which 10 N are left on each hand
  for (Eigen::Index i = 0; i < shown.hand_share.size(); ++i) {
    if (0.5 * shown.hand_share[i] * shown.forces.force(2, i) > 10.0) last = i;
  }
  for (const std::optional<double>& off : hands.off_s) {
    ASSERT_TRUE(off);
    EXPECT_NEAR(*off, static_cast<double>(last) / (100.0 * shown.samples_per_frame), 0.03);
  }
  EXPECT_NEAR(hands.share.value(), 0.30, 0.02);
  // With the hands' forces on the hands nothing is left for the pelvis.
  for (Eigen::Index i = judgement.windows[0].first + 20; i + 20 < judgement.windows[0].last; i += 5) {
    EXPECT_LT(judgement.moments.pelvis_residual.col(i).head<3>().norm(), 25.0)
        << i;  // of 690; the hands have up to 200
    EXPECT_LT(judgement.moments.pelvis_residual.col(i).tail<3>().norm(), 12.0) << i;
  }
}

TEST(Demonstrator, HasNoPlatesOnArmRestsThatAreNotThere) {
  EXPECT_THROW(record(shown_in("natural"), {}, ArmRestPlates::yes), InvalidValue);
}

}  // namespace
}  // namespace aplomb
