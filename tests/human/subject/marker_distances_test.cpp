#include "aplomb/human/subject/marker_distances.hpp"

#include <gtest/gtest.h>

#include "human/synthetic_subject.hpp"

namespace aplomb {
namespace {

/// A person by the seed of the proportions, with 1 mm of marker noise.
test::SyntheticSubject person(double height, unsigned seed) {
  return test::SyntheticSubject(test::set_named("plug_in_gait"), height, seed, /*noise_m=*/0.001);
}

TEST(MarkerDistances, OfOnePersonAgreeWithinTheNoise) {
  const test::SyntheticSubject one = person(1.75, 5);
  Points still = one.points;
  still.num_frames = 100;  // the first second, noise and posture other than the rest
  const auto change = distance_change(one.points, still, one.subject);
  ASSERT_TRUE(change);
  EXPECT_GT(change->num_pairs, 20u);
  EXPECT_LT(change->worst_m, 0.002);
  EXPECT_TRUE(change->is_same_person());
  EXPECT_LT(distance_change(one.points, one.subject).value().worst_m, 0.002);
}

TEST(MarkerDistances, OfTwoPeopleDiffer) {
  const test::SyntheticSubject one = person(1.60, 5);
  for (const unsigned seed : {6u, 7u, 8u}) {
    const test::SyntheticSubject other = person(1.85, seed);
    EXPECT_FALSE(distance_change(one.points, other.points, one.subject).value().is_same_person()) << seed;
    EXPECT_FALSE(distance_change(one.points, other.subject).value().is_same_person()) << seed;
  }
}

TEST(MarkerDistances, SurviveAMarkerThatWasMovedInBetween) {
  // A quarter of the distances may change: that is a misplaced marker, not another person.
  test::SyntheticSubject one = person(1.75, 5);
  const Points still = one.points;
  for (std::size_t frame = 0; frame < one.points.num_frames; ++frame) {
    one.points.xyz[3 * (frame * one.points.num_points() + one.points.index("LASI"))] += 0.1F;
  }
  const auto change = distance_change(one.points, still, one.subject);
  ASSERT_TRUE(change);
  EXPECT_GT(change->worst_m, 0.03);
  EXPECT_TRUE(change->is_same_person());
}

TEST(MarkerDistances, AreNoneWithoutPairsInBothTrials) {
  const test::SyntheticSubject one = person(1.75, 5);
  EXPECT_FALSE(distance_change(one.points, test::labelled({"LASI", "RASI"}, 10, 100.0), one.subject));
}

}  // namespace
}  // namespace aplomb
