#include "aplomb/robot/support_region.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/core/math/polygon.hpp"

namespace aplomb {
namespace {

TEST(ConvexHull, ContainsEveryPointAndItsCornersAreAmongThem) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Eigen::Vector2d> points(static_cast<std::size_t>(3 + trial % 20));
    for (auto& point : points) point = {unit(engine), unit(engine)};
    const auto hull = convex_hull(points);
    for (const auto& point : points) EXPECT_GE(signed_distance(hull, point), -1e-12);
    for (const auto& corner : hull) EXPECT_NE(std::find(points.begin(), points.end(), corner), points.end());
  }
}

TEST(ConvexHull, OfRepeatedOrCollinearPointsHasNoInside) {
  const std::vector<Eigen::Vector2d> line = {{0, 0}, {1, 1}, {2, 2}, {1, 1}, {0, 0}};
  const auto hull = convex_hull(line);
  EXPECT_EQ(hull.size(), 2u);
  EXPECT_LT(signed_distance(hull, {1.0, 1.5}), 0.0);
  EXPECT_TRUE(std::isnan(signed_distance({}, {0.0, 0.0})));
}

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

TEST(PolygonArea, OfASoleIsLengthTimesWidth) {
  const Sole sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.05, .y_max = 0.05, .z = 0.0};
  const SupportRegion region(ground_corners(sole, Eigen::Isometry3d::Identity()));
  EXPECT_NEAR(polygon_area(region.polygon()), 0.02, 1e-15);
}

}  // namespace
}  // namespace aplomb
