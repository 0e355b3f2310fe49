#include "aplomb/robot/shapes/support_polygon.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/robot/shapes/sole.hpp"

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

TEST(SignedDistance, AgreesWithTheMarginOfASole) {
  const Sole sole{.x_min = -0.09, .x_max = 0.15, .y_min = -0.06, .y_max = 0.06, .z = -0.08};
  std::vector<Eigen::Vector2d> corners;
  for (const auto& corner : sole.corners()) corners.emplace_back(corner.head<2>());
  const auto hull = convex_hull(corners);
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> unit(-0.3, 0.3);
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Vector2d point(unit(engine), unit(engine));
    EXPECT_NEAR(signed_distance(hull, point), sole.margin(point.x(), point.y()), 1e-12);
  }
}

}  // namespace
}  // namespace aplomb
