#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// A table of doubles: named columns (the unit is the name's suffix: `com_x_m`), one row per instant. Rows are stored
/// one after the other; after `reserve`, `append` does not allocate.
class Log {
 public:
  Log() = default;
  explicit Log(std::vector<std::string> columns);  ///< throws InvalidValue on a repeated name

  void reserve(std::size_t rows) { values_.reserve(rows * columns_.size()); }
  void append(std::span<const double> row);  ///< as many values as there are columns

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t num_rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
  bool has(std::string_view column) const;
  std::size_t index(std::string_view column) const;           ///< throws UnknownName
  std::vector<double> column(std::string_view column) const;  ///< throws UnknownName
  double at(std::size_t row, std::size_t column) const { return values_[row * columns_.size() + column]; }
  std::span<const double> values() const { return values_; }  ///< row by row

 private:
  std::vector<std::string> columns_;
  std::vector<double> values_;
};

}  // namespace aplomb
