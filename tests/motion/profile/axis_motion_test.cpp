#include "aplomb/motion/profile/axis_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aplomb {
namespace {

TEST(MinimumJerk, RisesFromZeroToOneAndIsAtRestAtBothEnds) {
  for (double t : {-1.0, 0.0}) {
    EXPECT_EQ(minimum_jerk(t, 2.0).position, 0.0);
    EXPECT_EQ(minimum_jerk(t, 2.0).velocity, 0.0);
  }
  EXPECT_EQ(minimum_jerk(2.0, 2.0).position, 1.0);
  EXPECT_NEAR(minimum_jerk(2.0 - 1e-6, 2.0).velocity, 0.0, 1e-9);
  EXPECT_NEAR(minimum_jerk(1e-6, 2.0).acceleration, 0.0, 1e-4);
  EXPECT_NEAR(minimum_jerk(1.0, 2.0).position, 0.5, 1e-15);  // by symmetry
}

TEST(MinimumJerk, VelocityAndAccelerationAreItsDerivatives) {
  constexpr double h = 1e-5;  // central differences: error O(h²), rounding 1e-16 / h
  for (double t : {0.1, 0.7, 1.3, 1.9}) {
    const AxisMotion now = minimum_jerk(t, 2.0);
    EXPECT_NEAR((minimum_jerk(t + h, 2.0).position - minimum_jerk(t - h, 2.0).position) / (2 * h), now.velocity, 1e-8);
    EXPECT_NEAR((minimum_jerk(t + h, 2.0).velocity - minimum_jerk(t - h, 2.0).velocity) / (2 * h), now.acceleration,
                1e-8);
  }
}

TEST(FadedSine, IsThePlainSineOnceItIsFadedIn) {
  const FadedSine sine{.amplitude = 0.3, .period_s = 2.0, .phase = 0.4, .ramp_s = 1.5};
  for (double t : {1.5, 2.1, 7.7}) EXPECT_NEAR(sine.at(t).position, 0.3 * std::sin(M_PI * t + 0.4), 1e-15);
  EXPECT_EQ(sine.at(0.0).position, 0.0);
  EXPECT_EQ(sine.at(0.0).velocity, 0.0);
}

}  // namespace
}  // namespace aplomb
