#include "aplomb/robot/dynamics/inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "robot/random_robot.hpp"

namespace aplomb::test {
namespace {

Inertia with_moments(double x, double y, double z) {
  return {1.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(x, y, z).asDiagonal()};
}

std::vector<PointMass> random_cloud(RandomNumbers& random) {
  std::vector<PointMass> cloud;
  for (int k = 0; k < 6; ++k) cloud.push_back({random.within(0.1, 2.0), random.vector()});
  return cloud;
}

/// An inertia of random principal moments, mostly impossible, turned at random.
Inertia random_guess(RandomNumbers& random) {
  const Eigen::Matrix3d R = random.pose().linear();
  const Eigen::Vector3d moments(random.within(-1.0, 3.0), random.within(-1.0, 3.0), random.within(-1.0, 3.0));
  Eigen::Matrix3d I = R * moments.asDiagonal() * R.transpose();
  return {random.within(0.1, 5.0), random.vector(), 0.5 * (I + I.transpose())};
}

Eigen::Matrix3d second_moment(const Inertia& inertia) {
  return 0.5 * inertia.about_com.trace() * Eigen::Matrix3d::Identity() - inertia.about_com;
}

TEST(Inertia, OfAnyCloudOfPointsIsPossible) {
  RandomNumbers random(3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(impossibility(inertia_of(random_cloud(random))), "");
}

TEST(Inertia, SeenFromAnotherFrameIsThatOfTheMovedPoints) {
  RandomNumbers random(4);
  for (int i = 0; i < 100; ++i) {
    const std::vector<PointMass> cloud = random_cloud(random);
    const Eigen::Isometry3d T = random.pose();
    std::vector<PointMass> moved = cloud;
    for (PointMass& point : moved) point.position = T * point.position;
    const Inertia seen = transformed(T, inertia_of(cloud)), expected = inertia_of(moved);
    EXPECT_LT((seen.com - expected.com).norm(), 1e-13);
    EXPECT_LT((seen.about_com - expected.about_com).norm(), 1e-13 * expected.about_com.norm());
  }
}

TEST(Inertia, JoinedIsThatOfAllPointsInEitherOrder) {
  RandomNumbers random(5);
  for (int i = 0; i < 100; ++i) {
    const std::vector<PointMass> first = random_cloud(random), second = random_cloud(random);
    std::vector<PointMass> all = first;
    all.insert(all.end(), second.begin(), second.end());
    const Inertia expected = inertia_of(all);
    for (const Inertia& sum :
         {joined(inertia_of(first), inertia_of(second)), joined(inertia_of(second), inertia_of(first))}) {
      EXPECT_NEAR(sum.mass, expected.mass, 1e-13 * expected.mass);
      EXPECT_LT((sum.com - expected.com).norm(), 1e-13);
      EXPECT_LT((sum.about_com - expected.about_com).norm(), 1e-13 * expected.about_com.norm());
    }
  }
}

TEST(Inertia, OfAFlatPlateIsPossibleToTheRoundingOfFiles) {
  EXPECT_EQ(impossibility(with_moments(0.1, 0.2, 0.3)), "");
  EXPECT_EQ(impossibility(with_moments(0.1, 0.2, 0.3 * (1.0 + 1e-7))), "");
  EXPECT_NE(impossibility(with_moments(0.1, 0.2, 0.3 * (1.0 + 1e-5))), "");
}

TEST(Inertia, OfAThinRodOrAPointIsNotPositiveDefinite) {
  for (const Inertia& inertia : {with_moments(0.1, 0.1, 0.0), with_moments(0.0, 0.0, 0.0),
                                 with_moments(0.1, 0.1, -0.01), with_moments(1e-18, 1e-18, 1e-18)}) {
    EXPECT_NE(impossibility(inertia).find("not positive definite"), std::string::npos);
  }
}

TEST(Inertia, IsConsistentOrNotInWhateverAxes) {
  RandomNumbers random(6);
  for (int i = 0; i < 300; ++i) {
    const Inertia guess = random_guess(random);
    EXPECT_EQ(impossibility(guess).empty(), impossibility(transformed(random.pose(), guess)).empty());
  }
}

TEST(NearestPossible, IsPossibleWithTheSameMassAndCentre) {
  RandomNumbers random(7);
  for (int i = 0; i < 1000; ++i) {
    const Inertia guess = random_guess(random), nearest = nearest_possible(guess);
    EXPECT_EQ(impossibility(nearest), "");
    EXPECT_EQ(nearest.mass, guess.mass);
    EXPECT_EQ(nearest.com, guess.com);
  }
  for (const Inertia& point :
       {with_moments(0.0, 0.0, 0.0), with_moments(1e-18, -1e-19, 0.0), with_moments(-1.0, -1.0, -1.0)}) {
    EXPECT_EQ(impossibility(nearest_possible(point)), "");
  }
}

TEST(NearestPossible, IsNearerThanAnyOther) {
  // Near in Σ; the floor keeps the answer off the boundary, by at most √3 · 1e-4 of the trace of Σ's positive part.
  RandomNumbers random(8);
  for (int i = 0; i < 200; ++i) {
    const Inertia guess = random_guess(random), nearest = nearest_possible(guess);
    const Eigen::Matrix3d wanted = second_moment(guess), found = second_moment(nearest);
    const double floor = std::sqrt(3.0) * 1e-4 * found.trace();
    for (int k = 0; k < 200; ++k) {
      Inertia other = inertia_of(random_cloud(random));
      const double scale = random.within(0.0, 1.0) * found.trace() / second_moment(other).trace();
      const Eigen::Matrix3d candidate = random.below(2) == 0
                                            ? Eigen::Matrix3d(scale * second_moment(other))
                                            : Eigen::Matrix3d(found + 0.1 * scale * second_moment(other));
      EXPECT_LE((found - wanted).norm(), (candidate - wanted).norm() + floor);
    }
  }
}

TEST(NearestPossible, ChangesAPossibleInertiaByRoundingOnly) {
  RandomNumbers random(9);
  for (int i = 0; i < 200; ++i) {
    const Inertia inertia = inertia_of(random_cloud(random));
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(second_moment(inertia));
    if (solver.eigenvalues()[0] < 1e-3 * solver.eigenvalues().sum()) continue;  // near the floor
    EXPECT_LT((nearest_possible(inertia).about_com - inertia.about_com).norm(), 1e-13 * inertia.about_com.norm());
  }
}

}  // namespace
}  // namespace aplomb::test
