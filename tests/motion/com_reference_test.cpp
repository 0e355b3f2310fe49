#include "aplomb/motion/com_reference.hpp"

#include <gtest/gtest.h>

namespace aplomb {
namespace {

const Eigen::Vector3d kStart(0.1, -0.2, 0.8);

void expect_consistent(const ComReference& reference, double from_s, double to_s) {
  constexpr double h = 1e-5;
  for (double t = from_s; t < to_s; t += 0.0937) {
    const ComTarget before = reference.at(t - h, {}), now = reference.at(t, {}), after = reference.at(t + h, {});
    EXPECT_LT(((after.position - before.position) / (2 * h) - now.velocity).norm(), 1e-7) << t;
    EXPECT_LT(((after.velocity - before.velocity) / (2 * h) - now.acceleration).norm(), 1e-6) << t;
  }
}

TEST(ComReference, HoldsWhereItStarted) {
  EXPECT_EQ(ComReference::hold(kStart).at(3.0, {}).position, kStart);
  EXPECT_EQ(ComReference::hold(kStart).at(3.0, {}).velocity, Eigen::Vector3d::Zero());
}

TEST(ComReference, VelocityAndAccelerationAreDerivativesOfThePosition) {
  expect_consistent(ComReference::sine(kStart, 2, {.amplitude = 0.05, .period_s = 1.3, .ramp_s = 1.0}, 0.5), 0.6, 4.0);
  expect_consistent(
      ComReference::path(kStart, {{1.0, {0.1, 0.0, 0.0}}, {2.5, {0.0, 0.05, -0.1}}, {3.0, {0.0, 0.0, 0.0}}}), 0.05,
      3.5);
}

TEST(ComReference, APathIsAtRestInEachOfItsPoints) {
  const ComReference path = ComReference::path(kStart, {{1.0, {0.1, 0.0, 0.0}}, {2.0, {0.0, 0.0, -0.1}}});
  EXPECT_EQ(path.at(0.0, {}).position, kStart);
  EXPECT_LT((path.at(1.0, {}).position - kStart - Eigen::Vector3d(0.1, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_LT(path.at(1.0, {}).velocity.norm(), 1e-15);
  EXPECT_LT((path.at(9.0, {}).position - kStart - Eigen::Vector3d(0.0, 0.0, -0.1)).norm(), 1e-15);
}

TEST(ComReference, AboveTheFeetItMovesWithThem) {
  const StandingFeet at_start{.midpoint = {0.0, 0.0, 0.1}};
  const ComReference above = ComReference::feet_midpoint(kStart, at_start);
  const StandingFeet later{.midpoint = {0.5, 0.2, 0.3}, .velocity = {1.0, 0.0, 0.0}};
  EXPECT_LT((above.at(1.0, later).position - Eigen::Vector3d(0.5, 0.2, 1.0)).norm(), 1e-15);
  EXPECT_EQ(above.at(1.0, later).velocity, later.velocity);
  EXPECT_FALSE(above.prescribes_height());
  EXPECT_TRUE(ComReference::hold(kStart).prescribes_height());
}

}  // namespace
}  // namespace aplomb
