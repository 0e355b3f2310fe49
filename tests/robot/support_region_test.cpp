#include "aplomb/robot/support_region.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "aplomb/core/math/polygon.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(SupportRegion, SignedDistanceAgreesWithTheMarginOfASole) {
  const Sole sole{.x_min = -0.09, .x_max = 0.15, .y_min = -0.06, .y_max = 0.06, .z = -0.08};
  const SupportRegion region(ground_corners(sole, Eigen::Isometry3d::Identity()));
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> unit(-0.3, 0.3);
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Vector2d point(unit(engine), unit(engine));
    EXPECT_NEAR(region.signed_distance(point), sole.margin(point.x(), point.y()), 1e-12);
  }
}

TEST(SupportRegion, ClampKeepsTheMarginAndLeavesInnerPointsAlone) {
  const Sole sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.05, .y_max = 0.05, .z = 0.0};
  const SupportRegion region(ground_corners(sole, Eigen::Isometry3d::Identity()));
  for (int degree = 0; degree < 360; degree += 15) {
    const Eigen::Vector2d far = Eigen::Rotation2Dd(degree * M_PI / 180.0) * Eigen::Vector2d(0.5, 0.0);
    EXPECT_GT(region.signed_distance(region.clamp(far, 0.02)), 0.02 - 1e-8) << degree;
  }
  EXPECT_EQ(region.clamp({0.03, 0.01}, 0.02), Eigen::Vector2d(0.03, 0.01));
}

TEST(SupportRegion, DistanceAlongADirectionEndsOnTheBoundary) {
  const Sole sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.05, .y_max = 0.05, .z = 0.0};
  const SupportRegion region(ground_corners(sole, Eigen::Isometry3d::Identity()));
  for (int degree = 0; degree < 360; degree += 15) {
    const Eigen::Vector2d direction = Eigen::Rotation2Dd(degree * M_PI / 180.0) * Eigen::Vector2d::UnitX();
    const Eigen::Vector2d point(0.02, 0.01);
    const double distance = region.distance_along(point, direction);
    EXPECT_NEAR(region.signed_distance(point + distance * direction), 0.0, 1e-12) << degree;
  }
}

/// Corners of two soles, the second turned about the vertical.
std::array<Eigen::Vector2d, 8> corners_of_feet(double angle) {
  const Sole sole{.x_min = -0.09, .x_max = 0.15, .y_min = -0.06, .y_max = 0.06, .z = -0.08};
  Eigen::Isometry3d T_world_foot = Eigen::Isometry3d::Identity();
  std::array<Eigen::Vector2d, 8> corners;
  std::ranges::copy(ground_corners(sole, T_world_foot), corners.begin());
  T_world_foot.rotate(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
  std::ranges::copy(ground_corners(sole, T_world_foot), corners.begin() + 4);
  return corners;
}

TEST(SupportRegion, UpdatedIsThatOfTheNewPoints) {
  SupportRegion region;
  for (int degree = 0; degree < 360; degree += 15) {
    auto corners = corners_of_feet(degree * M_PI / 180.0);
    const SupportRegion expected(corners);
    region.update(corners, 0.0);
    EXPECT_EQ(region.polygon(), expected.polygon()) << degree;
  }
  region.update({}, 0.0);
  EXPECT_TRUE(region.is_empty());
}

TEST(SupportRegion, UpdateDoesNotAllocateUpToTheReservedPoints) {
  SKIP_UNLESS_COUNTED();
  SupportRegion region;
  region.reserve(8);
  auto corners = corners_of_feet(0.5);
  const test::AllocationCount allocations;
  region.update(corners, 1e-6);
  region.update({}, 1e-6);
  region.update(corners, 1e-6);
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(PolygonArea, OfASoleIsLengthTimesWidth) {
  const Sole sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.05, .y_max = 0.05, .z = 0.0};
  const SupportRegion region(ground_corners(sole, Eigen::Isometry3d::Identity()));
  EXPECT_NEAR(polygon_area(region.polygon()), 0.02, 1e-15);
}

}  // namespace
}  // namespace aplomb
