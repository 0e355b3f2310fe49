#include "aplomb/recording/mot_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/time_column.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/number_text.hpp"

namespace aplomb {
namespace {

struct DataType {
  std::string_view name;
  std::size_t num_elements;
};
constexpr std::array<DataType, 9> kDataTypes = {{{"double", 1},
                                                 {"Vec2", 2},
                                                 {"Vec3", 3},
                                                 {"UnitVec3", 3},
                                                 {"Quaternion", 4},
                                                 {"Vec4", 4},
                                                 {"Vec5", 5},
                                                 {"Vec6", 6},
                                                 {"SpatialVec", 6}}};

class MotReader {
 public:
  explicit MotReader(const InputBytes& input) : input_(input), lines_(input) {}

  MotFile read() {
    if (input_.size() == 0) throw FileError({input_.name()}, "is empty");
    read_header();
    read_labels();
    reserve();
    std::string_view line;
    while (lines_.next(line)) {
      if (!trimmed(line).empty()) read_row(line);
    }
    check();
    return std::move(file_);
  }

 private:
  void read_header() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view text = trimmed(line);
      if (same_word(text, "endheader")) return;
      if (text.empty()) continue;
      const std::size_t equals = text.find('=');
      if (equals != std::string_view::npos) {
        take(trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1)));
      } else if (const auto parts = words(text); parts.size() >= 2 && is_simm_key(parts[0])) {
        take(parts[0], trimmed(text.substr(parts[0].size())));
      } else if (file_.name.empty()) {
        file_.name = clean_label(text);
      } else {
        file_.header.emplace_back(clean_label(text), "");
      }
    }
    throw FileError({input_.name()}, "not a MOT or STO file: no line says 'endheader'");
  }

  static bool is_simm_key(std::string_view word) {
    return same_word(word, "datacolumns") || same_word(word, "datarows") || same_word(word, "range") ||
           same_word(word, "name");
  }

  void take(std::string_view key, std::string_view value) {
    if (same_word(key, "datacolumns") || same_word(key, "nColumns")) {
      num_columns_ = count(value, key);
    } else if (same_word(key, "datarows") || same_word(key, "nRows")) {
      num_rows_ = count(value, key);
    } else if (same_word(key, "inDegrees")) {
      if (!same_word(value, "yes") && !same_word(value, "no")) {
        lines_.fail(value, fmt::format("inDegrees is '{}', valid: yes, no", shortened(value, 20)));
      }
      file_.in_degrees = same_word(value, "yes");
    } else if (same_word(key, "DataType")) {
      take_type(value);
    } else if (same_word(key, "name") && file_.name.empty()) {
      file_.name = clean_label(value);
    } else {
      file_.header.emplace_back(clean_label(key), clean_label(value));
    }
  }

  void take_type(std::string_view value) {
    for (const DataType& type : kDataTypes) {
      if (!same_word(type.name, value)) continue;
      file_.data_type = type.name;
      file_.num_elements = type.num_elements;
      return;
    }
    lines_.fail(value, fmt::format("DataType is '{}', valid: double, Vec2 ... Vec6, UnitVec3, Quaternion, "
                                   "SpatialVec",
                                   shortened(value, 20)));
  }

  double count(std::string_view text, std::string_view key) const {
    double value = 0.0;
    if (parse_number(text, value) && value >= 0.0) return value;
    lines_.fail(text, fmt::format("{} is '{}', a count is expected", key, shortened(text, 20)));
  }

  void read_labels() {
    std::string_view line;
    do {
      if (!lines_.next(line)) throw FileError({input_.name()}, "ends after its header, before the columns' labels");
    } while (trimmed(line).empty());
    has_tabs_ = trimmed(line).find('\t') != std::string_view::npos;
    lines_.require_columns(has_tabs_ ? '\t' : ' ');
    std::vector<std::string_view> labels = has_tabs_ ? split(line, '\t') : words(line, line.size());
    while (!labels.empty() && labels.back().empty()) labels.pop_back();
    if (labels.empty() || !same_word(labels[0], "time")) {
      lines_.fail(line, fmt::format("the first column is '{}', 'time' is expected",
                                    labels.empty() ? "" : shortened(labels[0], 20)));
    }
    if (!std::isnan(num_columns_) && num_columns_ != static_cast<double>(labels.size())) {
      lines_.fail(line, fmt::format("{} labels, but the header says {} columns (time is one of them)", labels.size(),
                                    num_columns_));
    }
    num_cells_ = labels.size();
    file_.table.columns.emplace_back("time");
    for (std::size_t i = 1; i < labels.size(); ++i) {
      const std::string label = labels[i].empty() ? fmt::format("column_{}", i + 1) : clean_label(labels[i]);
      for (std::size_t element = 1; element <= file_.num_elements; ++element) {
        file_.table.columns.push_back(file_.num_elements == 1 ? label : fmt::format("{}.{}", label, element));
      }
    }
  }

  void reserve() {
    // Bounds the reservation by the file's size: a number takes at least a digit and a separator.
    const std::size_t most = count_line_ends(input_) * file_.table.columns.size();
    file_.table.values.reserve(std::min(most, input_.size() / 2 + 1));
  }

  void read_row(std::string_view line) {
    row_lines_.push_back(lines_.line());
    // Blank cells between tabs must keep their columns; between spaces they cannot be recognised.
    if (has_tabs_ && line.find('\t') != std::string_view::npos) {
      read_cells(line);
      return;
    }
    const std::vector<std::string_view> parts = words(line, num_cells_ + 1);
    for (std::size_t i = 0; i < parts.size() && i < num_cells_; ++i) {
      read_one(parts[i].data(), parts[i].data() + parts[i].size(), i);
    }
    check_length(parts.size(), parts.size() > num_cells_ ? parts[num_cells_].data() : line.data() + line.size());
  }

  void read_cells(std::string_view line) {
    const char* at = line.data();
    const char* end = at + line.size();
    std::size_t index = 0;
    while (index < num_cells_) {
      const auto* stop = std::find(at, end, '\t');
      read_one(at, stop, index++);
      at = stop;
      if (at == end) break;
      ++at;
    }
    const std::string_view rest = trimmed({at, static_cast<std::size_t>(end - at)});
    if (index == num_cells_ && rest.empty()) return;
    check_length(index == num_cells_ ? index + words(rest).size() : index, rest.empty() ? end : rest.data());
  }

  void check_length(std::size_t found, const char* at) const {
    if (found == num_cells_) return;
    lines_.fail(at, fmt::format("the row has {} cells, {} are expected", found, num_cells_));
  }

  /// Reads a cell: one number, or as many as its type has, separated by commas.
  void read_one(const char* at, const char* end, std::size_t index) {
    const std::size_t num_elements = index == 0 ? 1 : file_.num_elements;
    const char separator = num_elements == 1 ? '\t' : ',';
    const char* start = at;
    if (num_elements > 1 && trimmed({at, static_cast<std::size_t>(end - at)}).empty()) {
      file_.table.values.insert(file_.table.values.end(), num_elements, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    for (std::size_t element = 0; element < num_elements; ++element) {
      double value = 0.0;
      const Cell kind = read_cell(at, end, separator, value);
      const bool is_last = element + 1 == num_elements;
      const bool goes_on = at != end;
      if (kind == Cell::wrong || (index == 0 && kind == Cell::blank) || (is_last == goes_on)) {
        const std::string column = file_.table.columns[index == 0 ? 0 : 1 + (index - 1) * num_elements];
        lines_.fail(start, fmt::format("'{}' is not {} (column {})",
                                       shortened({start, static_cast<std::size_t>(end - start)}, 20),
                                       num_elements == 1 ? "a number" : file_.data_type, column));
      }
      file_.table.values.push_back(value);
      if (goes_on) ++at;
    }
  }

  void check() {
    const std::size_t num_rows = file_.table.num_rows();
    if (num_rows == 0) throw FileError({input_.name()}, "has no row of data");
    if (!std::isnan(num_rows_) && num_rows_ != static_cast<double>(num_rows)) {
      file_.notes.push_back(fmt::format("the header says {} rows, the file has {}{}", num_rows_, num_rows,
                                        static_cast<double>(num_rows) < num_rows_ ? ": is it cut off?" : ""));
    }
    if (const auto fault = find_time_fault(column_of(file_.table, 0))) {
      const int line = row_lines_[fault->row];
      file_.time_fault.emplace(Place{input_.name(), line}, fault->text);
      file_.notes.push_back(fmt::format("line {}: {}", line, fault->text));
    }
    for (const std::string& label : repeated_names(file_.table.columns)) {
      file_.notes.push_back(fmt::format("two columns are named '{}'", label));
    }
  }

  const InputBytes& input_;
  LineReader lines_;
  MotFile file_;
  double num_columns_ = std::numeric_limits<double>::quiet_NaN();
  double num_rows_ = std::numeric_limits<double>::quiet_NaN();
  bool has_tabs_ = false;
  std::size_t num_cells_ = 0;
  std::vector<int> row_lines_;  ///< line of each row
};

/// Labels of the columns as written to the file: `p` for `p.1 p.2 p.3`.
std::vector<std::string> file_labels(const MotFile& mot) {
  const std::vector<std::string>& columns = mot.table.columns;
  std::vector<std::string> labels = {"time"};
  for (std::size_t i = 1; i < columns.size(); i += mot.num_elements) {
    labels.push_back(mot.num_elements == 1 ? columns[i] : columns[i].substr(0, columns[i].rfind('.')));
    if (labels.back().find_first_of("\t\r\n") != std::string::npos) {
      throw InvalidValue(
          fmt::format("a column's label with a tab or a line break does not fit a MOT file: '{}'", labels.back()));
    }
  }
  return labels;
}

}  // namespace

MotFile read_mot(const std::filesystem::path& file) { return read_mot(InputBytes::open(file)); }

MotFile read_mot(const InputBytes& input) { return MotReader(input).read(); }

void write_mot(const std::filesystem::path& file, const MotFile& mot) {
  const Table& table = mot.table;
  if (table.columns.empty() || (table.columns.size() - 1) % mot.num_elements != 0) {
    throw InvalidValue(
        fmt::format("{} columns are not time and whole cells of {}", table.columns.size(), mot.data_type));
  }
  const std::vector<std::string> labels = file_labels(mot);
  OutputFile output(file);
  output.write(fmt::format("{}\n", mot.name.empty() ? file.stem().string() : mot.name));
  for (const auto& [key, value] : mot.header) output.write(value.empty() ? key + "\n" : key + "=" + value + "\n");
  output.write(fmt::format("nRows={}\nnColumns={}\ninDegrees={}\nDataType={}\nendheader\n{}\n", table.num_rows(),
                           labels.size(), mot.in_degrees ? "yes" : "no", mot.data_type, fmt::join(labels, "\t")));
  std::string line;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    line.clear();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool is_first_element = i == 0 || (i - 1) % mot.num_elements == 0;
      if (i > 0) line += is_first_element ? '\t' : ',';
      append_number(line, table.at(row, i));
    }
    output.write(line += '\n');
  }
  output.close();
}

}  // namespace aplomb
