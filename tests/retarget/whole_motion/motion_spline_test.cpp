#include "aplomb/retarget/whole_motion/motion_spline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aplomb {
namespace {

/// Knots as the solver has them: the first two and the last two coincide.
Eigen::MatrixXd knots_at_rest() {
  Eigen::MatrixXd knots(3, 9);
  for (Eigen::Index j = 0; j < 9; ++j) {
    for (Eigen::Index i = 0; i < 3; ++i) knots(i, j) = std::sin(1.3 * static_cast<double>(j * (i + 1)) + 0.4);
  }
  knots.col(0) = knots.col(1);
  knots.col(8) = knots.col(7);
  return knots;
}

constexpr double kStep = 0.1;

TEST(MotionSpline, GoesThroughItsKnotsAndIsAtRestAtBothEnds) {
  const Eigen::MatrixXd knots = knots_at_rest();
  const MotionSpline spline(knots, kStep);
  EXPECT_NEAR(spline.duration_s(), 0.8, 1e-12);
  Eigen::VectorXd x, rate, acceleration;
  for (Eigen::Index j = 0; j < 9; ++j) {
    spline.at(kStep * static_cast<double>(j), x, rate, acceleration);
    EXPECT_LT((x - knots.col(j)).norm(), 1e-12) << j;
    if (j == 0 || j == 8) {
      EXPECT_LT(rate.norm(), 1e-10) << j;
    }
  }
  spline.at(-1.0, x, rate, acceleration);
  EXPECT_LT((x - knots.col(0)).norm(), 1e-12);
  spline.at(2.0, x, rate, acceleration);
  EXPECT_LT((x - knots.col(8)).norm(), 1e-12);
}

TEST(MotionSpline, ItsRatesAreItsDerivativesAndItsAccelerationIsContinuous) {
  const MotionSpline spline(knots_at_rest(), kStep);
  Eigen::VectorXd x, rate, acceleration, before, after, rate_before, rate_after, change_before, change_after;
  constexpr double kSmall = 1e-5;
  for (const double time : {0.05, 0.123, 0.3, 0.35, 0.5, 0.62, 0.77}) {  // knots among them
    spline.at(time, x, rate, acceleration);
    spline.at(time - kSmall, before, rate_before, change_before);
    spline.at(time + kSmall, after, rate_after, change_after);
    EXPECT_LT(((after - before) / (2.0 * kSmall) - rate).norm(), 1e-4) << time;
    EXPECT_LT(((rate_after - rate_before) / (2.0 * kSmall) - acceleration).norm(), 0.1) << time;
    EXPECT_LT((change_after - change_before).norm(), 1.0) << time;  // a jump would be some hundred rad/s²
  }
}

TEST(KnotStencil, IsExactForParabolas) {
  constexpr Eigen::Index kCount = 9;
  const auto parabola = [](double t) { return 1.0 - 2.0 * t + 3.0 * t * t; };
  for (Eigen::Index j = 2; j + 2 < kCount; ++j) {
    const KnotStencil stencil = knot_stencil(j, kCount, kStep);
    double position = 0.0, rate = 0.0, acceleration = 0.0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stencil.count); ++s) {
      const double value = parabola(kStep * static_cast<double>(stencil.knot[s]));
      position += stencil.position[s] * value;
      rate += stencil.rate[s] * value;
      acceleration += stencil.acceleration[s] * value;
    }
    const double t = kStep * static_cast<double>(j);
    EXPECT_NEAR(position, parabola(t), 1e-12) << j;
    EXPECT_NEAR(rate, -2.0 + 6.0 * t, 1e-12) << j;
    EXPECT_NEAR(acceleration, 6.0, 1e-10) << j;
  }
}

TEST(KnotStencil, TheRobotIsAtRestInTheFirstAndTheLastFrame) {
  const Eigen::MatrixXd knots = knots_at_rest();
  for (const Eigen::Index j : {0, 8}) {
    const KnotStencil stencil = knot_stencil(j, 9, kStep);
    Eigen::VectorXd position = Eigen::VectorXd::Zero(3), rate = position, acceleration = position;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stencil.count); ++s) {
      EXPECT_GE(stencil.knot[s], 1);
      EXPECT_LE(stencil.knot[s], 7);  // only free knots
      position += stencil.position[s] * knots.col(stencil.knot[s]);
      rate += stencil.rate[s] * knots.col(stencil.knot[s]);
      acceleration += stencil.acceleration[s] * knots.col(stencil.knot[s]);
    }
    EXPECT_LT((position - knots.col(j)).norm() + rate.norm() + acceleration.norm(), 1e-12);
  }
}

}  // namespace
}  // namespace aplomb
