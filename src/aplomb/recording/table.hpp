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
  std::optional<std::size_t> find(std::string_view name) const;  ///< whatever the case of its letters
};

/// The rate of a table whose column `time` runs evenly [Hz]; 0 when it has less than two rows or does not rise.
double rate_of(const Table& table, std::size_t time);

/// What is wrong with a time column: the first row at which it does not rise, or at which its step is off by more than
/// 1 % of the usual one. Empty when nothing is.
std::string uneven_time(const Table& table, std::size_t time);

}  // namespace aplomb
