#include "aplomb/control/contact/change_detector.hpp"

#include <gtest/gtest.h>

#include <random>

namespace aplomb {
namespace {

constexpr double kMargin = 0.025, kLeast = 0.05;

/// Ticks from the start until the change is detected, at most `most`. The mean of the signal is zero for `quiet` ticks,
/// then `mean`; the threshold is kMargin above zero.
int ticks_until_detected(double deviation, double mean, int quiet, int most, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> noise(0.0, 1.0);
  ChangeDetector detector;
  for (int tick = 0; tick < most; ++tick) {
    const double signal = (tick < quiet ? 0.0 : mean) + deviation * noise(engine);
    detector.observe(signal);
    if (detector.has_changed(signal - kMargin, kMargin, kLeast)) return tick;
  }
  return most;
}

TEST(ChangeDetector, GivesNoFalseAlarmInAMillionTicksOfAnyNoise) {
  for (double deviation : {0.005, 0.02, 0.05, 0.1, 1.0}) {
    EXPECT_EQ(ticks_until_detected(deviation, 0.0, 1'000'000, 1'000'000, 3), 1'000'000) << deviation;
  }
}

TEST(ChangeDetector, DetectsAChangeAtOnceWithoutNoiseAndLaterWithMore) {
  EXPECT_EQ(ticks_until_detected(0.0, 0.1, 1000, 2000, 1), 1000);  // the first excess, 0.075, is above the least sum
  int last = 0;
  for (double deviation : {0.01, 0.05, 0.1}) {
    const int delay = ticks_until_detected(deviation, 2.0 * kMargin, 1000, 10'000, 5) - 1000;
    // The sum grows by kMargin in a tick, to 25 σ² / (2 kMargin); the noise of its own walk is a quarter of that.
    const double expected = std::max(kLeast, 25.0 * deviation * deviation / (2.0 * kMargin)) / kMargin;
    EXPECT_NEAR(delay, expected, 3.0 + 0.5 * expected) << deviation;
    EXPECT_GE(delay, last);
    last = delay;
  }
}

TEST(ChangeDetector, EstimatesTheNoiseButNotASlowMotion) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> noise(0.0, 0.02);
  ChangeDetector detector;
  for (int tick = 0; tick < 5000; ++tick) detector.observe(0.001 * tick + noise(engine));
  EXPECT_NEAR(detector.deviation(), 0.02, 0.004);  // from 200 changes: 7 % for one standard deviation
}

}  // namespace
}  // namespace aplomb
