#include "aplomb/recording/outliers.hpp"

#include <gtest/gtest.h>

#include "recording/sample_points.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMarkers = 8, kFrames = 300;

void move(Points& points, std::size_t marker, std::size_t first, std::size_t last, float by) {
  for (std::size_t frame = first; frame <= last; ++frame) points.xyz[3 * (frame * points.num_points() + marker)] += by;
}

TEST(Outliers, SmoothMotionHasNone) {
  const MarkerOutliers found = find_outliers(test::moving_points(kMarkers, kFrames));
  EXPECT_TRUE(found.runs.empty());
  EXPECT_TRUE(found.cuts.empty());
}

TEST(Outliers, AFrameInWhichAllMarkersAreElsewhereIsLeftOutWhereverItIs) {
  for (const std::size_t frame : {std::size_t{0}, std::size_t{150}, kFrames - 1}) {
    Points points = test::moving_points(kMarkers, kFrames);
    for (std::size_t marker = 0; marker < kMarkers; ++marker) move(points, marker, frame, frame, 1.0F);
    const MarkerOutliers found = find_outliers(points);
    EXPECT_EQ(found.num_samples(), kMarkers) << frame;
    EXPECT_EQ(found.num_frames(), 1u) << frame;
    EXPECT_TRUE(found.cuts.empty()) << frame;
    for (const OutlyingRun& run : found.runs) {
      EXPECT_EQ(run.frames.first, static_cast<std::ptrdiff_t>(frame));
      EXPECT_NEAR(run.distance_m, 1.0, 0.01);
    }
    ASSERT_EQ(outlier_lines(points, found).size(), 1u);
  }
}

TEST(Outliers, WithoutThemOnlyTheyAreGaps) {
  const Points clean = test::moving_points(kMarkers, kFrames);
  Points points = clean;
  points.xyz[3 * (200 * kMarkers + 3) + 1] = 1e30F;
  move(points, 5, 40, 55, 0.12F);  // 0.16 s
  const Points cleaned = without(find_outliers(points), points);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    for (std::size_t marker = 0; marker < kMarkers; ++marker) {
      const bool is_moved = (frame == 200 && marker == 3) || (marker == 5 && frame >= 40 && frame <= 55);
      ASSERT_EQ(cleaned.is_seen(frame, marker), !is_moved) << frame << " " << marker;
      if (is_moved) continue;
      EXPECT_EQ(cleaned.raw(frame, marker), clean.raw(frame, marker));
    }
  }
}

TEST(Outliers, AnExcursionIsFoundWithAllItsSamples) {
  // 5 cm is within what a body may move in 0.1 s, but not there and back in a frame each.
  for (const float by : {0.05F, 0.12F, 0.3F, 5.0F}) {
    for (const std::size_t length : {1u, 2u, 5u, 18u}) {
      Points points = test::moving_points(kMarkers, kFrames);
      move(points, 4, 90, 90 + length - 1, by);
      EXPECT_EQ(find_outliers(points).num_samples(), length) << by;
    }
  }
}

TEST(Outliers, AMarkerBeyondAnyLaboratoryIsLeftOutHoweverLongItStays) {
  Points points = test::moving_points(kMarkers, kFrames);
  for (std::size_t frame = 0; frame < kFrames; ++frame) points.xyz[3 * (frame * kMarkers + 1)] = 1e30F;
  for (std::size_t frame = 120; frame < kFrames; ++frame) points.xyz[3 * (frame * kMarkers + 6)] = -3e4F;
  const MarkerOutliers found = find_outliers(points);
  EXPECT_EQ(found.num_samples(), kFrames + (kFrames - 120));
  EXPECT_TRUE(found.cuts.empty());
}

TEST(Outliers, AnOriginFarFromTheLaboratoryIsNone) {
  Points points = test::moving_points(kMarkers, kFrames);
  for (std::size_t marker = 0; marker < kMarkers; ++marker) move(points, marker, 0, kFrames - 1, 500.0F);
  EXPECT_TRUE(find_outliers(points).runs.empty());
}

TEST(Outliers, AMarkerThatStaysAwayIsKept) {
  // A wrong label for half a second is for the fit to find, not noise.
  Points points = test::moving_points(kMarkers, kFrames);
  move(points, 2, 100, 150, 0.3F);
  const MarkerOutliers found = find_outliers(points);
  EXPECT_TRUE(found.runs.empty());
  EXPECT_TRUE(found.cuts.empty());
}

TEST(Outliers, ABodyThatStaysAwayIsACut) {
  Points points = test::moving_points(kMarkers, kFrames);
  for (std::size_t marker = 0; marker < kMarkers; ++marker) move(points, marker, 100, 150, 1.0F);
  EXPECT_EQ(find_outliers(points).cuts, (std::vector<std::size_t>{100, 151}));
}

TEST(Outliers, IntegerCoordinatesBecomeGapsToo) {
  Points points = test::moving_points(2, kFrames);
  points.residual_unit = 0.001;
  for (const float value : points.xyz) points.counts.push_back(static_cast<std::int16_t>(1000.0F * value));
  points.xyz.clear();
  points.seen_by.assign(2 * kFrames, 1);
  points.counts[3 * (2 * 77 + 1) + 2] = 20000;
  const Points cleaned = without(find_outliers(points), points);
  EXPECT_FALSE(cleaned.is_seen(77, 1));
  EXPECT_TRUE(cleaned.is_seen(77, 0));
  EXPECT_TRUE(cleaned.is_seen(78, 1));
}

}  // namespace
}  // namespace aplomb
