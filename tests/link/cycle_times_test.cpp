#include "aplomb/link/cycle_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

namespace aplomb {
namespace {

TEST(CycleTimes, QuantilesAreThoseOfTheSortedTimes) {
  const auto times = std::make_unique<CycleTimes>();
  for (int us = 1000; us >= 1; --us) times->add(1e-6 * (us - 0.5));  // 0.5, 1.5, ..., 999.5 us
  EXPECT_EQ(times->count(), 1000);
  EXPECT_EQ(times->quantile_us(0.5), 500.0);
  EXPECT_EQ(times->quantile_us(0.99), 990.0);
  EXPECT_EQ(times->quantile_us(0.999), 999.0);
  EXPECT_EQ(times->quantile_us(1.0), times->max_us());
  EXPECT_NEAR(times->max_us(), 999.5, 1e-9);
}

TEST(CycleTimes, KeepsTheLongestEvenBeyondTheLastBin) {
  const auto times = std::make_unique<CycleTimes>();
  times->add(0.5);
  times->add(std::numeric_limits<double>::quiet_NaN());
  times->add(-1.0);
  EXPECT_EQ(times->max_us(), 5e5);
  EXPECT_EQ(times->at(0), 2);
  EXPECT_EQ(times->at(CycleTimes::kBins - 1), 1);
  EXPECT_EQ(times->quantile_us(1.0), 5e5);
}

TEST(CycleTimes, AreNullWithoutAnyTime) {
  Metrics timing;
  std::make_unique<CycleTimes>()->add_to(timing, "jitter");
  for (const char* name : {"jitter_us_p50", "jitter_us_p99", "jitter_us_p999", "jitter_us_max"}) {
    ASSERT_NE(timing.find(name), nullptr) << name;
    EXPECT_TRUE(std::holds_alternative<std::monostate>(*timing.find(name)));
  }
}

}  // namespace
}  // namespace aplomb
