#include "aplomb/recording/table.hpp"

#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {

std::optional<std::size_t> Table::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (same_word(columns[i], name)) return i;
  }
  return std::nullopt;
}

double rate_of(const Table& table, std::size_t time) {
  const std::size_t num_rows = table.num_rows();
  if (num_rows < 2) return 0.0;
  const double duration = table.at(num_rows - 1, time) - table.at(0, time);
  return duration > 0.0 ? static_cast<double>(num_rows - 1) / duration : 0.0;
}

std::vector<double> column_of(const Table& table, std::size_t column) {
  std::vector<double> values(table.num_rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = table.at(row, column);
  return values;
}

}  // namespace aplomb
