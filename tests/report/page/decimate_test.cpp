#include "aplomb/report/page/decimate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace aplomb {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Log random_log(std::size_t rows, std::size_t columns, unsigned seed) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns; ++i) names.push_back(fmt::format("c{}", i));
  Log log(names);
  std::mt19937 random(seed);
  std::cauchy_distribution<double> spiky;
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (double& value : row) value = spiky(random);
    log.append(row);
  }
  return log;
}

TEST(Decimate, KeepsAllRowsWhenTheyAreFew) {
  const Log log = random_log(100, 1, 1);
  const auto rows = decimate(log, std::array{std::size_t{0}}, 100);
  ASSERT_EQ(rows.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
}

TEST(Decimate, KeepsTheBoundTheEndsAndEveryColumnsExtremes) {
  for (const std::size_t num_rows : {1501u, 4999u, 100000u}) {
    const Log log = random_log(num_rows, 3, static_cast<unsigned>(num_rows));
    const std::array<std::size_t, 2> columns{0, 2};
    const auto rows = decimate(log, columns, 1500);
    EXPECT_LE(rows.size(), 1500u);
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
    EXPECT_EQ(rows.front(), 0u);
    EXPECT_EQ(rows.back(), num_rows - 1);
    for (const std::size_t column : columns) {
      const std::vector<double> all = log.column(log.columns()[column]);
      std::vector<double> kept;
      for (const std::size_t row : rows) kept.push_back(log.at(row, column));
      EXPECT_EQ(std::ranges::max(kept), std::ranges::max(all));
      EXPECT_EQ(std::ranges::min(kept), std::ranges::min(all));
    }
  }
}

TEST(Decimate, NoValueIsFarOutsideTheBandOfItsKeptNeighbours) {
  // The law of a min-max envelope: each sample lies between the least and the largest kept sample of its stretch,
  // and a stretch has at most num_rows / 300 rows here (300 < (1500 - 2) / 3).
  const Log log = random_log(30000, 1, 7);
  const auto rows = decimate(log, std::array{std::size_t{0}}, 1500);
  const std::size_t reach = 30000 / 300;
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    const auto begin = std::ranges::lower_bound(rows, row < reach ? 0 : row - reach);
    const auto end = std::ranges::upper_bound(rows, row + reach);
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (auto kept = begin; kept != end; ++kept) {
      least = std::min(least, log.at(*kept, 0));
      largest = std::max(largest, log.at(*kept, 0));
    }
    ASSERT_LE(least, log.at(row, 0));
    ASSERT_GE(largest, log.at(row, 0));
  }
}

TEST(Decimate, AShortGapStaysAGap) {
  Log log({"x_m"});
  for (int i = 0; i < 50000; ++i) log.append(std::array{i == 25001 ? kMissing : std::sin(0.01 * i)});
  const auto rows = decimate(log, std::array{std::size_t{0}}, 1500);
  EXPECT_TRUE(std::ranges::binary_search(rows, std::size_t{25001}));
}

TEST(Decimate, AColumnWithoutAnyValueIsThinnedToo) {
  Log log({"x_m"});
  for (int i = 0; i < 5000; ++i) log.append(std::array{kMissing});
  const auto rows = decimate(log, std::array{std::size_t{0}}, 1500);
  EXPECT_FALSE(rows.empty());
  EXPECT_LE(rows.size(), 1500u);
}

}  // namespace
}  // namespace aplomb
