#include "aplomb/core/math/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace aplomb {
namespace {

TEST(RotationVector, IsExactFromNothingToHalfATurn) {
  const Eigen::Vector3d axes[] = {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitZ(),
                                  Eigen::Vector3d(1.0, -2.0, 0.5).normalized(),
                                  Eigen::Vector3d(-1.0, 1e-9, 1e-5).normalized()};
  for (const Eigen::Vector3d& axis : axes) {
    for (double angle : {1e-12, 1e-8, 1e-4, 0.1, 1.5, 3.0, std::numbers::pi - 1e-4, std::numbers::pi - 1e-8}) {
      const Eigen::Vector3d found = rotation_vector(rotation_by(angle * axis));
      EXPECT_LT((found - angle * axis).norm(), 1e-14) << angle << " about " << axis.transpose();
    }
  }
}

TEST(RotationVector, OfHalfATurnIsOneOfBothWaysRound) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 2.0, -3.0).normalized();
  const Eigen::Vector3d found = rotation_vector(rotation_by(std::numbers::pi * axis));
  EXPECT_NEAR(found.norm(), std::numbers::pi, 1e-14);
  EXPECT_NEAR(std::abs(found.dot(axis)), std::numbers::pi, 1e-14);
}

TEST(TurnBetween, TakesOneDirectionIntoTheOtherByTheAngleBetweenThem) {
  constexpr double kTolerance = 1e-12;
  constexpr double kOpposite = 1e-7;  // there one rounding of the cosine, 1e-16, turns by its root
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector3d from(normal(random), normal(random), normal(random));
    const Eigen::Vector3d other(normal(random), normal(random), normal(random));
    for (const Eigen::Vector3d& to : {other, from, Eigen::Vector3d(-from)}) {
      const Eigen::Quaterniond turn = turn_between(from, to);
      const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
      const double tolerance = angle < 3.1 ? kTolerance : kOpposite;
      EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), tolerance);
      EXPECT_NEAR(rotation_vector(turn.toRotationMatrix()).norm(), angle, tolerance);
    }
  }
}

TEST(RotationVector, OfNoRotationIsZero) {
  EXPECT_EQ(rotation_vector(Eigen::Matrix3d::Identity()), Eigen::Vector3d::Zero());
  EXPECT_EQ(rotation_by(Eigen::Vector3d::Zero()), Eigen::Matrix3d::Identity());
}

}  // namespace
}  // namespace aplomb
