#include "aplomb/recording/checks/marker_checks.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "recording/sample_points.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

void exchange(Points& points, std::size_t a, std::size_t b, std::size_t first, std::size_t last) {
  for (std::size_t frame = first; frame <= last; ++frame) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::swap(points.xyz[3 * (frame * points.num_points() + a) + axis],
                points.xyz[3 * (frame * points.num_points() + b) + axis]);
    }
  }
}

TEST(MarkerChecks, SmoothMotionHasNoFaults) {
  const MarkerChecks checks = check_markers(test::moving_points(12, 300));
  EXPECT_TRUE(checks.swaps.empty());
  EXPECT_TRUE(checks.labels.empty());
  for (const MarkerReport& marker : checks.markers) {
    EXPECT_EQ(marker.num_missing, 0u);
    EXPECT_EQ(marker.num_jumps, 0u);
  }
}

TEST(MarkerChecks, GapsAreCountedAndStayGaps) {
  Points points = test::moving_points(3, 100);
  for (const std::size_t frame : {0u, 1u, 40u, 41u, 42u, 99u}) test::hide(points, frame, 1);
  const MarkerReport report = check_markers(points).markers[1];
  EXPECT_EQ(report.num_missing, 6u);
  EXPECT_EQ(report.num_gaps, 3u);
  EXPECT_EQ(report.longest_gap, 3u);
  EXPECT_EQ(report.gaps[1].first, 40);
  EXPECT_EQ(report.gaps[1].last, 42);
  EXPECT_FALSE(points.is_seen(41, 1));
}

TEST(MarkerChecks, AJumpIsListedByItsFrame) {
  Points points = test::moving_points(3, 100);
  points.xyz[3 * (50 * 3 + 2)] += 0.3F;
  const MarkerReport report = check_markers(points).markers[2];
  ASSERT_GE(report.num_jumps, 1u);
  EXPECT_EQ(report.jumps[0], 50u);
}

TEST(MarkerChecks, ExchangedLabelsAreListedByFrame) {
  Points points = test::moving_points(6, 200);
  exchange(points, 1, 4, 80, 120);
  const MarkerChecks checks = check_markers(points);
  ASSERT_EQ(checks.swaps.size(), 2u);  // there and back
  EXPECT_EQ(checks.swaps[0].frame, 80u);
  EXPECT_EQ(checks.swaps[1].frame, 121u);
  EXPECT_EQ(checks.swaps[0].a, 1u);
  EXPECT_EQ(checks.swaps[0].b, 4u);
}

TEST(MarkerChecks, AnExchangeAfterAGapIsFoundByTheSegmentsLength) {
  // Two segments of two markers each, a metre apart; B and C change their names while neither is seen.
  Points points = test::moving_points(4, 300);
  for (std::size_t frame = 0; frame < 300; ++frame) {
    for (std::size_t i = 0; i < 4; ++i)
      points.xyz[3 * (4 * frame + i)] =
          static_cast<float>(i < 2 ? 0.1 * static_cast<double>(i) : 0.8 + 0.1 * static_cast<double>(i));
    for (std::size_t i = 0; i < 4; ++i)
      points.xyz[3 * (4 * frame + i) + 1] = points.xyz[3 * (4 * frame + i) + 2] = 0.0F;
  }
  exchange(points, 1, 2, 200, 250);
  for (const std::size_t edge : {170u, 251u}) {
    for (std::size_t frame = edge; frame < edge + 30; ++frame) {
      test::hide(points, frame, 1);
      test::hide(points, frame, 2);
    }
  }
  const MarkerChecks checks = check_markers(points);
  ASSERT_EQ(checks.labels.size(), 2u);
  for (const SuspectedLabel& fault : checks.labels) {
    EXPECT_EQ(fault.frames.first, 200);
    EXPECT_EQ(fault.frames.last, 250);
    EXPECT_NEAR(fault.usual_m, 0.1, 1e-6);
  }
}

TEST(MarkerChecks, AMeanDistanceSkipsGapsAndNeedsEnoughFrames) {
  Points points = test::moving_points(2, 30);
  const double whole = mean_distance(points, 0, 1);
  for (std::size_t frame = 0; frame < 18; ++frame) test::hide(points, frame, 0);
  EXPECT_NEAR(mean_distance(points, 0, 1), whole, 1e-6);
  for (std::size_t frame = 18; frame < 25; ++frame) test::hide(points, frame, 1);
  const std::string error = test::error_of([&] { mean_distance(points, 0, 1); });
  EXPECT_TRUE(test::has(error, "5 of 30"));
}

}  // namespace
}  // namespace aplomb
