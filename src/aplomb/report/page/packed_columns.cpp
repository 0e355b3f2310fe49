#include "aplomb/report/page/packed_columns.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace aplomb {
namespace {

constexpr std::uint16_t kMissing = 65535;
constexpr double kMostSteps = 65534.0;

PackedColumn pack_column(const Log& log, std::size_t column, const std::vector<std::size_t>& rows, std::string& bytes) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::size_t row : rows) {
    const double value = log.at(row, column);
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  PackedColumn packed{.name = log.columns()[column]};
  const bool is_packable = low <= high && std::isfinite(high - low);
  if (is_packable) {
    packed.low = low;
    packed.step = (high - low) / kMostSteps;
  }
  for (const std::size_t row : rows) {
    const double value = log.at(row, column);
    std::uint16_t code = kMissing;
    if (is_packable && std::isfinite(value)) {
      const double steps = packed.step > 0.0 ? (value - low) / packed.step : 0.0;
      code = static_cast<std::uint16_t>(std::clamp(std::round(steps), 0.0, kMostSteps));
    }
    bytes.push_back(static_cast<char>(code & 0xff));
    bytes.push_back(static_cast<char>(code >> 8));
  }
  return packed;
}

}  // namespace

std::string base64_of(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t block = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      block = block << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[block >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

PackedColumns pack_columns(const std::vector<const Log*>& logs, const std::vector<std::size_t>& rows) {
  PackedColumns packed;
  std::string bytes;
  for (const Log* log : logs) {
    for (std::size_t column = 0; column < log->columns().size(); ++column) {
      if (log->columns()[column] != "time_s") packed.columns.push_back(pack_column(*log, column, rows, bytes));
    }
  }
  packed.base64 = base64_of(bytes);
  return packed;
}

std::vector<std::size_t> evenly_spaced_rows(std::size_t num_rows, std::size_t stride, std::size_t max_rows) {
  assert(stride >= 1 && max_rows >= 2);
  std::vector<std::size_t> rows;
  if (num_rows == 0) return rows;
  stride = std::max(stride, (num_rows - 1 + max_rows - 2) / (max_rows - 1));
  for (std::size_t row = 0; row + 1 < num_rows; row += stride) rows.push_back(row);
  rows.push_back(num_rows - 1);
  return rows;
}

}  // namespace aplomb
