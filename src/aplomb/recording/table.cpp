#include "aplomb/recording/table.hpp"

#include <fmt/format.h>

#include <cmath>

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

std::string uneven_time(const Table& table, std::size_t time) {
  const double rate = rate_of(table, time);
  for (std::size_t row = 1; row < table.num_rows(); ++row) {
    const double step = table.at(row, time) - table.at(row - 1, time);
    if (!(step > 0.0)) return fmt::format("time does not increase at row {} ({} s)", row + 1, table.at(row, time));
    // Times are often printed with three decimals: rounding by half a unit of the third one is no fault.
    if (rate > 0.0 && std::abs(step * rate - 1.0) > 0.01 && std::abs(step - 1.0 / rate) > 6e-4) {
      return fmt::format("the step of time at row {} is {:.6g} s, elsewhere {:.6g} s", row + 1, step, 1.0 / rate);
    }
  }
  return {};
}

}  // namespace aplomb
