#include "aplomb/core/table/time_column.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace aplomb {
namespace {

std::vector<double> times_at(double rate_hz, std::size_t count = 200) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(0.5 + static_cast<double>(i) / rate_hz);
  return times;
}

TEST(TimeColumn, EvenTimesAreAcceptedHoweverTheyAreRounded) {
  for (const double rate_hz : {30.0, 100.0, 119.88, 2000.0})
    EXPECT_FALSE(find_time_fault(times_at(rate_hz))) << rate_hz;
  for (const double rate_hz : {59.94, 240.0, 600.0, 800.0}) {
    std::vector<double> times = times_at(rate_hz);
    for (double& time : times) time = std::round(1e3 * time) / 1e3;  // written with three decimals
    EXPECT_FALSE(find_time_fault(times)) << rate_hz;
  }
  EXPECT_FALSE(find_time_fault(std::vector<double>{}));
  EXPECT_FALSE(find_time_fault(std::vector<double>{3.0}));
}

TEST(TimeColumn, TimesThatDoNotIncreaseAreNamedByTheirRow) {
  std::vector<double> times = times_at(100.0);
  std::swap(times[80], times[81]);
  ASSERT_TRUE(find_time_fault(times));
  EXPECT_EQ(find_time_fault(times)->row, 81u);
  times = times_at(100.0);
  times[5] = times[4];
  EXPECT_EQ(find_time_fault(times).value().row, 5u);
}

TEST(TimeColumn, ATimeFarFromTheOthersOrNotFiniteIsNamed) {
  for (const double wrong : {50.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<double> times = times_at(100.0);
    times[100] = wrong;
    const auto fault = find_time_fault(times);
    ASSERT_TRUE(fault) << wrong;
    EXPECT_GE(fault->row, 100u);
    EXPECT_LE(fault->row, 101u);  // 50 s: time decreases after it
  }
}

TEST(TimeColumn, AMissingSampleIsNamed) {
  std::vector<double> times = times_at(119.88);
  times.erase(times.begin() + 60);
  EXPECT_EQ(find_time_fault(times).value().row, 60u);
}

}  // namespace
}  // namespace aplomb
