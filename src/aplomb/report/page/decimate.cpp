#include "aplomb/report/page/decimate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace aplomb {
namespace {

/// Adds the rows of [begin, end) with a column's least and largest value, and the first one without a finite value.
void add_extremes(const Log& log, std::size_t column, std::size_t begin, std::size_t end,
                  std::vector<std::size_t>& rows) {
  std::size_t least = end, largest = end, gap = end;
  for (std::size_t row = begin; row < end; ++row) {
    const double value = log.at(row, column);
    if (!std::isfinite(value)) {
      if (gap == end) gap = row;
      continue;
    }
    if (least == end || value < log.at(least, column)) least = row;
    if (largest == end || value > log.at(largest, column)) largest = row;
  }
  for (const std::size_t row : {least, largest, gap}) {
    if (row != end) rows.push_back(row);
  }
}

}  // namespace

std::vector<std::size_t> decimate(const Log& log, std::span<const std::size_t> columns, std::size_t max_rows) {
  assert(max_rows >= 16 && !columns.empty() && 3 * columns.size() + 2 <= max_rows);
  const std::size_t num_rows = log.num_rows();
  std::vector<std::size_t> rows;
  if (num_rows <= max_rows) {
    rows.resize(num_rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  const std::size_t num_stretches = (max_rows - 2) / (3 * columns.size());  // 2: the first and the last row
  rows.push_back(0);
  for (std::size_t stretch = 0; stretch < num_stretches; ++stretch) {
    const std::size_t begin = stretch * num_rows / num_stretches;
    const std::size_t end = (stretch + 1) * num_rows / num_stretches;
    for (const std::size_t column : columns) add_extremes(log, column, begin, end, rows);
  }
  rows.push_back(num_rows - 1);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace aplomb
