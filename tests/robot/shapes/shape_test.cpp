#include "aplomb/robot/shapes/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace aplomb {
namespace {

/// A point on or in the shape, in its own frame.
Eigen::Vector3d drawn_point(const Shape& shape, std::mt19937& random) {
  std::uniform_real_distribution<double> one(-1.0, 1.0);
  const Eigen::Vector3d inside = Eigen::Vector3d(one(random), one(random), one(random));
  const Eigen::Vector3d ball = shape.size[0] * inside.normalized();
  const Eigen::Vector3d along(0.0, 0.0, 0.5 * shape.size[1] * one(random));
  const double turn = std::numbers::pi * one(random);
  switch (shape.kind) {
    case Shape::Kind::box:
      return 0.5 * shape.size.cwiseProduct(inside);
    case Shape::Kind::sphere:
      return ball;
    case Shape::Kind::cylinder:
      return along + shape.size[0] * Eigen::Vector3d(std::cos(turn), std::sin(turn), 0.0);
    case Shape::Kind::capsule:
      return along + ball;
    case Shape::Kind::mesh:
      break;
  }
  return Eigen::Vector3d::Zero();
}

TEST(OuterPoints, NoPointOfTheShapeIsFurtherOutAndSomeAreNearlyAsFar) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const Shape::Kind kind : {Shape::Kind::box, Shape::Kind::sphere, Shape::Kind::cylinder, Shape::Kind::capsule}) {
    Shape shape{.kind = kind, .size = {0.1, 0.3, 0.2}};
    shape.T_link_shape =
        Eigen::Translation3d(0.5, -0.2, 0.1) * Eigen::AngleAxisd(1.1, Eigen::Vector3d(1.0, 2.0, -0.5).normalized());
    for (int i = 0; i < 20; ++i) {
      const Eigen::Vector3d out = Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
      double furthest = -HUGE_VAL, drawn = -HUGE_VAL;
      for (const Eigen::Vector3d& point : outer_points(shape, out)) furthest = std::max(furthest, point.dot(out));
      for (int k = 0; k < 20000; ++k)
        drawn = std::max(drawn, (shape.T_link_shape * drawn_point(shape, random)).dot(out));
      EXPECT_LE(drawn, furthest + 1e-12);
      EXPECT_GT(drawn, furthest - 0.01);
    }
  }
  EXPECT_TRUE(outer_points({.kind = Shape::Kind::mesh}, Eigen::Vector3d::UnitX()).empty());
}

}  // namespace
}  // namespace aplomb
