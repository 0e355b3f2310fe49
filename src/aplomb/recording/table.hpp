#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Numbers under named columns, row by row; NaN where a cell was blank.
struct Table {
  std::vector<std::string> columns;
  std::vector<double> values;  ///< [row][column]

  std::size_t num_rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  std::optional<std::size_t> find(std::string_view name) const;  ///< case-insensitive
};

/// Mean rate of the column `time` [Hz]; 0 with fewer than two rows or a time that does not increase.
double rate_of(const Table& table, std::size_t time);

std::vector<double> column_of(const Table& table, std::size_t column);

}  // namespace aplomb
