#include "aplomb/core/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

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

TEST(RotationVector, OfNoRotationIsZero) {
  EXPECT_EQ(rotation_vector(Eigen::Matrix3d::Identity()), Eigen::Vector3d::Zero());
  EXPECT_EQ(rotation_by(Eigen::Vector3d::Zero()), Eigen::Matrix3d::Identity());
}

}  // namespace
}  // namespace aplomb
