#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/core/table/log.hpp"

namespace aplomb {
namespace {

constexpr int kSignificantDigits = 9;

void append_number(std::string& line, double value) {
  // The sign of a NaN means nothing and differs between processors.
  if (std::isnan(value)) {
    line += "nan";
    return;
  }
  std::array<char, 32> digits;
  // std::to_chars knows no locale: the decimal separator is always a point.
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                          std::chars_format::general, kSignificantDigits);
  line.append(digits.data(), end);
}

}  // namespace

void write_csv(const Log& log, const std::filesystem::path& file) {
  OutputFile output(file);
  const std::size_t num_columns = log.columns().size();
  std::string line;
  for (std::size_t column = 0; column < num_columns; ++column) {
    if (column > 0) line += ',';
    line += csv_field(log.columns()[column]);
  }
  output.write(line += '\n');
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    line.clear();
    for (std::size_t column = 0; column < num_columns; ++column) {
      if (column > 0) line += ',';
      append_number(line, log.at(row, column));
    }
    output.write(line += '\n');
  }
  output.close();
}

}  // namespace aplomb
