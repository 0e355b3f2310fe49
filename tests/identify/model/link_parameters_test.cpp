#include "aplomb/identify/model/link_parameters.hpp"

#include <gtest/gtest.h>

#include "robot/random_robot.hpp"

namespace aplomb {
namespace {

TEST(LinkParameters, EveryConversionComesBack) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Inertia inertia = test::random_inertia(seed);
    const LinkParameters p = to_parameters(inertia);
    EXPECT_LT((to_inertia(p).about_com - inertia.about_com).norm(), 1e-12);
    EXPECT_LT((to_inertia(p).com - inertia.com).norm(), 1e-14);
    EXPECT_LT((from_wensing_order(to_wensing_order(p)) - p).norm(), 0.0 + 1e-15);
    EXPECT_LT((from_pseudo_inertia(pseudo_inertia(p)) - p).norm(), 1e-13);
    EXPECT_LT((from_log_cholesky(to_log_cholesky(p)) - p).norm(), 1e-11);
  }
}

TEST(LinkParameters, WensingsOrderHasTheDiagonalFirst) {
  LinkParameters p;
  p << 1, 2, 3, 4, /*Ixx*/ 11, /*Ixy*/ 12, /*Iyy*/ 22, /*Ixz*/ 13, /*Iyz*/ 23, /*Izz*/ 33;
  LinkParameters wensing;
  wensing << 1, 2, 3, 4, 11, 22, 33, 12, 23, 13;
  EXPECT_EQ(to_wensing_order(p), wensing);
}

TEST(LinkParameters, ThePseudoInertiaIsTheSumOfPointsTimesThemselves) {
  // P = Σ m (r; 1)(r; 1)ᵀ, straight from the definition.
  const std::vector<test::PointMass> cloud = {
      {1.0, {1, 2, 3}}, {2.0, {-1, 0.5, 0}}, {0.5, {0, 0, 2}}, {1.5, {1, -1, 1}}};
  Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
  for (const test::PointMass& point : cloud) {
    const Eigen::Vector4d r(point.position.x(), point.position.y(), point.position.z(), 1.0);
    sum += point.mass * r * r.transpose();
  }
  EXPECT_LT((pseudo_inertia(to_parameters(test::inertia_of(cloud))) - sum).norm(), 1e-12);
}

TEST(LinkParameters, FeasibleMeansThatSomeMassDistributionHasThem) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const LinkParameters p = to_parameters(test::random_inertia(seed));
    EXPECT_TRUE(is_feasible(p));
    LinkParameters long_one = p;
    long_one[4] += 10.0 * p.tail<6>().norm();  // Ixx above the sum of the others
    EXPECT_FALSE(is_feasible(long_one));
    EXPECT_FALSE(is_feasible(-p));
  }
}

TEST(LinkParameters, TheLogCholeskyJacobianIsTheDerivative) {
  const LinkParameters theta = to_log_cholesky(to_parameters(test::random_inertia(3)));
  const auto jacobian = log_cholesky_jacobian(theta);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 10; ++i) {
    const LinkParameters step = kStep * LinkParameters::Unit(i);
    const LinkParameters numeric = (from_log_cholesky(theta + step) - from_log_cholesky(theta - step)) / (2 * kStep);
    EXPECT_LT((jacobian.col(i) - numeric).norm(), 1e-7 * (1.0 + numeric.norm()));
  }
}

TEST(MovedMass, IsTheCadWithACopyOfItselfAtTheAddedMass) {
  const Inertia cad{.mass = 10.0, .com = {0.0, 0.1, 0.2}, .about_com = Eigen::Vector3d(0.3, 0.2, 0.15).asDiagonal()};
  Inertia added = cad;
  added.mass = 4.0;
  added.about_com *= 0.4;
  added.com += Eigen::Vector3d(-0.09, 0.0, 0.05);  // inside of the body
  const Inertia both = joined(cad, added);
  const Inertia found = with_moved_mass(cad, both.mass, both.com);
  EXPECT_LT((found.about_com - both.about_com).norm(), 1e-12);
  EXPECT_LT((found.com - both.com).norm(), 1e-15);
}

TEST(MovedMass, IsARigidBodyWhateverTheMassAndTheCom) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Inertia cad{.mass = 3.0, .com = {0.0, 0.0, -0.1}, .about_com = Eigen::Vector3d(0.04, 0.04, 0.002).asDiagonal()};
  for (int i = 0; i < 500; ++i) {
    const double mass = cad.mass * std::exp(2.0 * unit(engine));
    const Eigen::Vector3d com =
        cad.com + std::pow(10.0, 3.0 * unit(engine)) * 0.1 * Eigen::Vector3d(unit(engine), unit(engine), unit(engine));
    const Inertia moved = with_moved_mass(cad, mass, com);
    EXPECT_EQ(impossibility(moved), "") << mass << " " << com.transpose();
    // At least what the CAD's shape has at that mass: mass that is moved away from the rest adds to it.
    EXPECT_GE((moved.about_com - mass / cad.mass * cad.about_com).diagonal().minCoeff(), -1e-12);
  }
  const Inertia same = with_moved_mass(cad, cad.mass, cad.com);
  EXPECT_EQ(same.about_com, cad.about_com);
}

}  // namespace
}  // namespace aplomb
