#include "aplomb/recording/formats/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/number_text.hpp"

namespace aplomb {
namespace {

class CsvReader {
 public:
  explicit CsvReader(const InputBytes& input) : input_(input), lines_(input) {}

  Table read() {
    read_labels();
    // Bounds the reservation by the file's size: a cell takes at least a separator.
    table_.values.reserve(std::min(count_line_ends(input_) * table_.columns.size(), input_.size()));
    std::string_view line;
    while (lines_.next(line)) {
      // Spreadsheets leave blank rows at the end; no data may follow them.
      const bool is_blank =
          std::ranges::all_of(line, [&](char letter) { return letter == ' ' || letter == separator_; });
      if (is_blank) {
        blank_line_ = lines_.line();
      } else if (blank_line_ > 0) {
        lines_.fail(nullptr, fmt::format("data after the blank row of line {}", blank_line_));
      } else {
        read_row(line);
      }
    }
    if (table_.values.empty()) throw FileError({input_.name()}, "has no row of numbers");
    return std::move(table_);
  }

 private:
  void read_labels() {
    std::string_view line;
    if (!lines_.next(line) || trimmed(line).empty()) throw FileError({input_.name()}, "is empty, or its first line is");
    const std::string_view candidates = ",;\t";
    for (const char letter : candidates) lines_.require_columns(letter);
    separator_ =
        *std::ranges::max_element(candidates, {}, [&](char letter) { return std::ranges::count(line, letter); });
    const char* at = line.data();
    const char* end = at + line.size();
    while (true) {
      table_.columns.push_back(read_label(at, end));
      double number = 0.0;
      if (parse_number(table_.columns.back(), number)) {
        lines_.fail(at, fmt::format("the first row must name the columns, '{}' is a number",
                                    shortened(table_.columns.back(), 20)));
      }
      if (at == end) break;
      ++at;
    }
    while (table_.columns.size() > 1 && table_.columns.back().empty()) table_.columns.pop_back();  // trailing commas
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].empty()) table_.columns[i] = fmt::format("column_{}", i + 1);
    }
  }

  /// Reads a field as in RFC 4180, except that a quoted one must end on the same line.
  std::string read_label(const char*& at, const char* end) {
    if (at == end || *at != '"') {
      const char* start = at;
      at = std::find(at, end, separator_);
      return clean_label({start, static_cast<std::size_t>(at - start)});
    }
    const char* start = at++;
    std::string label;
    for (; at != end; ++at) {
      if (*at != '"') {
        label += *at;
      } else if (at + 1 != end && at[1] == '"') {
        label += *at++;
      } else {
        break;
      }
    }
    if (at == end) lines_.fail(start, "the quote that begins here does not end on this line");
    ++at;
    if (at != end && *at != separator_) lines_.fail(at, "a quoted name goes on after its end");
    return clean_label(label);
  }

  void read_row(std::string_view line) {
    const char* at = line.data();
    const char* end = at + line.size();
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (i > 0 && at == end) {
        lines_.fail(end, fmt::format("the row ends after {} cells, {} are expected", i, table_.columns.size()));
      }
      if (i > 0) ++at;
      const char* cell = at;
      double value = 0.0;
      if (read_cell(at, end, separator_, value) == Cell::wrong) {
        const std::string_view text(cell, static_cast<std::size_t>(at - cell));
        const bool has_comma = text.find(',') != std::string_view::npos;
        lines_.fail(cell, fmt::format("'{}' is not a number (column {}){}", shortened(text, 20), table_.columns[i],
                                      has_comma ? "; write decimals with a point" : ""));
      }
      table_.values.push_back(value);
    }
    const char* extra = std::find_if(at, end, [&](char letter) { return letter != separator_ && letter != ' '; });
    if (extra != end) {
      lines_.fail(extra, fmt::format("the row goes on after its {} cells", table_.columns.size()));
    }
  }

  const InputBytes& input_;
  LineReader lines_;
  Table table_;
  char separator_ = ',';
  int blank_line_ = 0;
};

struct AxisName {
  std::string marker;
  int axis = -1;  ///< 0, 1, 2; -1: the column is not a coordinate
  std::string unit;
};

/// Parses a column's name: "LASI_x", "LASI.X", "LASI:X", "LASI X", and with a unit "LASI_x_mm", "LASI_x (mm)".
AxisName axis_name(std::string_view column) {
  AxisName name;
  for (const std::string_view unit : {"mm", "cm", "m"}) {
    for (const std::string& ending :
         {fmt::format("_{}", unit), fmt::format(" ({})", unit), fmt::format(" [{}]", unit)}) {
      if (name.unit.empty() && column.size() > ending.size() + 2 &&
          same_word(column.substr(column.size() - ending.size()), ending)) {
        name.unit = unit;
        column.remove_suffix(ending.size());
      }
    }
  }
  if (column.size() < 3 || std::string_view("_.: ").find(column[column.size() - 2]) == std::string_view::npos)
    return name;
  const char letter = column.back();
  if (letter >= 'x' && letter <= 'z') name.axis = letter - 'x';
  if (letter >= 'X' && letter <= 'Z') name.axis = letter - 'X';
  name.marker = column.substr(0, column.size() - 2);
  return name;
}

}  // namespace

Table read_csv(const InputBytes& input) {
  if (input.size() == 0) throw FileError({input.name()}, "is empty");
  return CsvReader(input).read();
}

std::optional<std::size_t> time_column(const Table& table) {
  for (const char* name : {"time", "time_s", "time (s)", "time [s]", "t", "t_s", "seconds"}) {
    if (const auto found = table.find(name)) return found;
  }
  return std::nullopt;
}

std::optional<Points> points_of(const Table& table) {
  Points points;
  std::vector<std::size_t> first_columns;
  for (std::size_t i = 0; i + 2 < table.columns.size(); ++i) {
    const AxisName x = axis_name(table.columns[i]);
    const AxisName y = axis_name(table.columns[i + 1]);
    const AxisName z = axis_name(table.columns[i + 2]);
    if (x.axis != 0 || y.axis != 1 || z.axis != 2 || x.marker != y.marker || x.marker != z.marker) continue;
    first_columns.push_back(i);
    points.labels.push_back(x.marker);
    points.unit = x.unit;
    i += 2;
  }
  if (first_columns.empty()) return std::nullopt;
  points.kinds.assign(points.labels.size(), PointKind::marker);
  points.num_frames = table.num_rows();
  points.xyz.reserve(3 * first_columns.size() * points.num_frames);
  for (std::size_t row = 0; row < points.num_frames; ++row) {
    for (const std::size_t column : first_columns) {
      const double* cell = &table.values[row * table.columns.size() + column];
      const auto is_finite = [](double value) { return std::isfinite(static_cast<float>(value)); };
      const bool is_seen = std::all_of(cell, cell + 3, is_finite);
      for (int axis = 0; axis < 3; ++axis) {
        points.xyz.push_back(is_seen ? static_cast<float>(cell[axis]) : std::numeric_limits<float>::quiet_NaN());
      }
    }
  }
  if (const auto time = time_column(table)) {
    points.rate_hz = rate_of(table, *time);
    points.start_s = table.at(0, *time);
  }
  return points;
}

}  // namespace aplomb
