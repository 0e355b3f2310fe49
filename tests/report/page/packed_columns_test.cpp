#include "aplomb/report/page/packed_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string bytes_of(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned block = 0;
  int num_bits = 0;
  for (const char digit : base64) {
    if (digit == '=') break;
    block = block << 6 | static_cast<unsigned>(digits.find(digit));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(block >> num_bits & 255));
  }
  return bytes;
}

/// As the page's script reads it (web/src/motion.ts).
std::vector<double> unpacked(const PackedColumns& packed, std::size_t column, std::size_t num_rows) {
  const std::string bytes = bytes_of(packed.base64);
  EXPECT_EQ(bytes.size(), 2 * packed.columns.size() * num_rows);
  std::vector<double> values;
  for (std::size_t row = 0; row < num_rows; ++row) {
    const std::size_t at = 2 * (column * num_rows + row);
    const int code = static_cast<unsigned char>(bytes.at(at)) | static_cast<unsigned char>(bytes.at(at + 1)) << 8;
    values.push_back(code == 65535 ? kNan : packed.columns[column].low + packed.columns[column].step * code);
  }
  return values;
}

std::vector<std::size_t> all_rows(const Log& log) {
  std::vector<std::size_t> rows(log.num_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

TEST(PackedColumns, AreAccurateToHalfAStep) {
  Log log({"time_s", "small_m", "large_n", "constant"});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int row = 0; row < 500; ++row)
    log.append(std::array{0.001 * row, 1e-6 * uniform(random), 1e5 * uniform(random), 7.25});
  const PackedColumns packed = pack_columns({&log}, all_rows(log));
  ASSERT_EQ(packed.columns.size(), 3u);  // time is not packed
  for (std::size_t column = 0; column < 3; ++column) {
    const std::vector<double> values = unpacked(packed, column, log.num_rows());
    const double step = packed.columns[column].step;
    for (std::size_t row = 0; row < log.num_rows(); ++row) {
      EXPECT_NEAR(values[row], log.at(row, column + 1), 0.500001 * step + 1e-15);
    }
  }
  EXPECT_LT(packed.columns[1].step, 2e5 / 65534);
}

TEST(PackedColumns, KeepSamplesWithoutAValue) {
  Log log({"x_m"});
  for (const double value : {kNan, 1.0, std::numeric_limits<double>::infinity(), -2.0}) log.append(std::array{value});
  const std::vector<double> values = unpacked(pack_columns({&log}, all_rows(log)), 0, 4);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_NEAR(values[1], 1.0, 1e-4);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], -2.0);
}

TEST(PackedColumns, HaveNoValuesWhereTheRangeOverflows) {
  const double huge = std::numeric_limits<double>::max();
  Log log({"x"});
  for (const double value : {-huge, 0.0, huge}) log.append(std::array{value});
  const PackedColumns packed = pack_columns({&log}, all_rows(log));
  EXPECT_TRUE(std::isfinite(packed.columns[0].step));
  for (const double value : unpacked(packed, 0, 3)) EXPECT_TRUE(std::isnan(value));
}

TEST(PackedColumns, OfTwoLogsAreConcatenated) {
  Log first({"a"}), second({"time_s", "b"});
  for (int row = 0; row < 3; ++row) {
    first.append(std::array{1.0 * row});
    second.append(std::array{1.0 * row, 10.0 * row});
  }
  const PackedColumns packed = pack_columns({&first, &second}, {0, 2});
  ASSERT_EQ(packed.columns.size(), 2u);
  EXPECT_NEAR(unpacked(packed, 0, 2)[1], 2.0, 1e-4);
  EXPECT_NEAR(unpacked(packed, 1, 2)[1], 20.0, 1e-3);
}

TEST(EvenlySpacedRows, HaveTheFirstAndTheLastAndAreNeverTooMany) {
  for (const std::size_t num_rows : {1u, 2u, 3u, 99u, 100u, 1000u, 6001u, 600'000u}) {
    for (const std::size_t stride : {1u, 10u, 33u}) {
      const std::vector<std::size_t> rows = evenly_spaced_rows(num_rows, stride, 300);
      ASSERT_FALSE(rows.empty());
      EXPECT_LE(rows.size(), 300u);
      EXPECT_EQ(rows.front(), 0u);
      EXPECT_EQ(rows.back(), num_rows - 1);
      for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_GT(rows[i], rows[i - 1]);
    }
  }
  EXPECT_TRUE(evenly_spaced_rows(0, 1, 300).empty());
}

}  // namespace
}  // namespace aplomb
