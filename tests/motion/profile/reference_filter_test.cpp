#include "aplomb/motion/profile/reference_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/motion/foot_step.hpp"

namespace aplomb {
namespace {

TEST(ReferenceFilter, ObeysItsDifferentialEquation) {
  constexpr double T = 1.7, h = 1e-5;
  for (double t = 0.05; t < 5.0; t += 0.083) {
    const AxisMotion before = filtered_step(t - h, T), now = filtered_step(t, T), after = filtered_step(t + h, T);
    const double jerk = (after.acceleration - before.acceleration) / (2 * h);
    const double law =
        150.77 / (T * T * T) * (1.0 - now.position) - 84.98 / (T * T) * now.velocity - 15.97 / T * now.acceleration;
    EXPECT_NEAR(jerk, law, 1e-6) << t;
    EXPECT_NEAR((after.position - before.position) / (2 * h), now.velocity, 1e-8);
    EXPECT_NEAR((after.velocity - before.velocity) / (2 * h), now.acceleration, 1e-7);
  }
}

TEST(ReferenceFilter, BeginsAtRestAndEndsAtItsTarget) {
  const AxisMotion begin = filtered_step(1e-9, 1.0);
  EXPECT_NEAR(begin.position, 0.0, 1e-12);
  EXPECT_NEAR(begin.velocity, 0.0, 1e-9);
  EXPECT_NEAR(begin.acceleration, 0.0, 1e-6);
  EXPECT_NEAR(filtered_step(10.0, 1.0).position, 1.0, 1e-12);
}

TEST(ReferenceFilter, IsCloseToAMinimumJerkMotion) {
  // Both are at rest before and in the end; the filter has no end, and is at 90 % after its trajectory time.
  EXPECT_NEAR(filtered_step(1.0, 1.0).position, 0.9, 1e-3);
  double fastest = 0.0;
  for (double t = 0.0; t < 2.0; t += 1e-3) fastest = std::max(fastest, filtered_step(t, 1.0).velocity);
  EXPECT_NEAR(fastest, 1.875, 0.5);  // of the least jerk
}

TEST(FootStep, LiftsSwingsAndLandsSlowly) {
  const FootStep step{.lift_off_s = 2.0, .touch_down_s = 4.0, .carry_s = 6.0, .step = {0.1, 0.0, 0.0}, .lift = 0.03};
  constexpr double h = 1e-6;
  double highest = 0.0;
  for (double t = 2.01; t < 3.99; t += 0.0137) {
    const auto before = step.at(t - h), now = step.at(t), after = step.at(t + h);
    EXPECT_LT(((after.position - before.position) / (2 * h) - now.velocity).norm(), 1e-3) << t;
    highest = std::max(highest, now.position.z());
  }
  EXPECT_NEAR(highest, 0.03, 1e-4);
  EXPECT_LT(std::abs(step.at(3.98).position.z()), 1e-5);
  EXPECT_LT(std::abs(step.at(3.98).velocity.z()), 1.1e-3);
  EXPECT_NEAR(step.at(3.98).position.x(), 0.1, 1e-12);
}

TEST(FootStep, SharesAreContinuousAndReachBothEnds) {
  const FootStep step{.lift_off_s = 2.0, .touch_down_s = 4.0, .carry_s = 6.0};
  EXPECT_EQ(step.share(0.0), 1.0);
  EXPECT_EQ(step.share(3.0), 0.0);
  EXPECT_EQ(step.share(6.0), 1.0);
  for (double t = 0.0; t < 7.0; t += 1e-3) EXPECT_LT(std::abs(step.share(t + 1e-3) - step.share(t)), 1e-3);
}

}  // namespace
}  // namespace aplomb
