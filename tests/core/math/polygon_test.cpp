#include "aplomb/core/math/polygon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace aplomb {
namespace {

using Points = std::vector<Eigen::Vector2d>;

/// Points of the square |x|, |y| ≤ 1.
class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : engine_(seed) {}
  Eigen::Vector2d point() { return {unit_(engine_), unit_(engine_)}; }
  Points points(int count) {
    Points points(static_cast<std::size_t>(count));
    std::ranges::generate(points, [&] { return point(); });
    return points;
  }

 private:
  std::mt19937_64 engine_;
  std::uniform_real_distribution<double> unit_{-1.0, 1.0};
};

Points hull_of(Points points, double tolerance) {
  Points hull(2 * points.size());
  hull.resize(convex_hull(points, hull, tolerance));
  return hull;
}

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

TEST(ConvexHull, IsTheSameInGivenStorage) {
  RandomPoints random(5);
  for (int count = 0; count < 40; ++count) {
    const Points points = random.points(count);
    EXPECT_EQ(hull_of(points, 0.0), convex_hull(points)) << count;
  }
}

TEST(ConvexHull, KeepsOneOfCornersCloserThanTheTolerance) {
  RandomPoints random(6);
  const Points square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int trial = 0; trial < 100; ++trial) {
    Points points;
    for (const Eigen::Vector2d& corner : square) {
      for (int copy = 0; copy < 3; ++copy) points.emplace_back(corner + 1e-8 * random.point());
    }
    const Points hull = hull_of(points, 1e-6);
    ASSERT_EQ(hull.size(), 4u);
    EXPECT_NEAR(polygon_area(hull), 4.0, 1e-6);
    for (Eigen::Vector2d& point : points) point *= 1e-7;  // all within the tolerance
    EXPECT_EQ(hull_of(points, 1e-6).size(), 1u);
  }
}

TEST(ConvexHull, OfPointsThatAreNotFiniteStaysInItsStorage) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Points hull = hull_of(Points(8, {kNan, kNan}), 1e-6);
  EXPECT_LE(hull.size(), 16u);
}

TEST(NearestPoint, IsOnThePolygonAtTheSignedDistance) {
  RandomPoints random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const Points hull = convex_hull(random.points(1 + trial % 12));
    const Eigen::Vector2d point = 2.0 * random.point();
    const Eigen::Vector2d nearest = nearest_point(hull, point);
    const double distance = signed_distance(hull, point);
    EXPECT_NEAR((point - nearest).norm(), std::max(0.0, -distance), 1e-12);
    EXPECT_GE(signed_distance(hull, nearest), -1e-12);
    if (distance >= 0.0) {
      EXPECT_EQ(nearest, point);
    }
  }
}

TEST(HalfPlaneMargin, IsTheSignedDistanceInsideAndNeverFartherOutside) {
  RandomPoints random(8);
  for (int trial = 0; trial < 500; ++trial) {
    const Points hull = convex_hull(random.points(3 + trial % 12));
    const Eigen::Vector2d point = 2.0 * random.point();
    const double margin = half_plane_margin(hull, point), distance = signed_distance(hull, point);
    EXPECT_EQ(margin < 0.0, distance < 0.0);
    if (distance >= 0.0) {
      EXPECT_NEAR(margin, distance, 1e-12);
    }
    EXPECT_GE(margin, distance - 1e-12);
  }
  // Diagonally beyond a corner of a square the lines are nearer than the corner by √2.
  const Points square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  EXPECT_NEAR(half_plane_margin(square, {2.0, 2.0}), -1.0, 1e-15);
  EXPECT_NEAR(signed_distance(square, {2.0, 2.0}), -std::sqrt(2.0), 1e-15);
  EXPECT_EQ(half_plane_margin({}, {0.0, 0.0}), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace aplomb
