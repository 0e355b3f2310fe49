#include "aplomb/core/table/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr int kSignificantDigits = 9;
constexpr std::size_t kMaxColumns = 10'000;

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

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<double> to_number(std::string_view text) {
  if (text.empty() || text == "nan" || text == "NaN" || text == "NAN") return std::numeric_limits<double>::quiet_NaN();
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class CsvParser {
 public:
  CsvParser(const std::filesystem::path& file, const TableReadOptions& options)
      : options_(options), result_{.file = file, .table = {}, .lines = {}} {}

  TableFile parse(std::string_view text) {
    require_plain_text(text, result_.file.string());
    if (options_.is_own && !text.empty() && text.back() != '\n') {
      line_number_ = static_cast<int>(std::ranges::count(text, '\n')) + 1;
      fail("ends in this line: it was not written to its end");
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line_number_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!options_.is_own && trimmed(line).empty()) continue;
      const bool is_first = result_.table.columns().empty();
      if (is_first) options_.has_header ? read_header(line) : count_columns(line);
      if (!is_first || !options_.has_header) read_row(line);
    }
    if (result_.table.columns().empty()) {
      throw FileError({result_.file.string()}, "is empty; a header line and rows of numbers are expected");
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw FileError({.file = result_.file.string(), .line = line_number_}, what);
  }

  void read_header(std::string_view line) {
    split(line);
    if (fields_.size() == 1 && line.find_first_of(";\t") != std::string_view::npos) {
      fail("the columns are separated by semicolons or tabs; write commas, and numbers with a point");
    }
    for (const std::string& name : fields_) {
      if (name.empty()) fail("a column of the header has no name");
      if (to_number(name)) fail(fmt::format("the first line must name the columns, but has '{}'", shortened(name)));
    }
    if (fields_.size() > kMaxColumns) fail(fmt::format("more than {} columns", kMaxColumns));
    try {
      result_.table = Log(fields_);
    } catch (const InvalidValue& error) {
      fail(error.what());
    }
  }

  void count_columns(std::string_view line) {
    split(line);
    if (fields_.size() > kMaxColumns) fail(fmt::format("more than {} columns", kMaxColumns));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fields_.size(); ++i) names.push_back(fmt::format("column {}", i + 1));
    result_.table = Log(names);
  }

  void read_row(std::string_view line) {
    split(line);
    const std::vector<std::string>& columns = result_.table.columns();
    if (fields_.size() != columns.size()) {
      fail(fmt::format("{} fields, but {} {} columns", fields_.size(),
                       options_.has_header ? "the header names" : "the first line has", columns.size()));
    }
    row_.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::optional<double> value = to_number(fields_[i]);
      if (!value || (options_.is_own && fields_[i].empty())) {
        fail(fmt::format("column '{}' has '{}', which is not a number", columns[i], shortened(fields_[i])));
      }
      row_.push_back(*value);
    }
    result_.table.append(row_);
    result_.lines.push_back(line_number_);
  }

  /// The fields of one line; a quoted field may hold commas and doubled quotes, but no line break.
  void split(std::string_view line) {
    std::size_t count = 0;
    const auto next_field = [&]() -> std::string& {
      if (count == fields_.size()) fields_.emplace_back();
      fields_[count].clear();
      return fields_[count++];
    };
    std::string* field = &next_field();
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"') {
        const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
        if (is_doubled) *field += line[i++];
        if (!is_doubled) is_quoted = !is_quoted;
      } else if (line[i] == ',' && !is_quoted) {
        field = &next_field();
      } else {
        *field += line[i];
      }
    }
    if (is_quoted) fail("a quote is opened and not closed on this line");
    fields_.resize(count);
    for (std::string& one : fields_) {
      const std::string_view text = trimmed(one);
      if (text.size() != one.size()) one = std::string(text);
    }
  }

  TableReadOptions options_;
  TableFile result_;
  int line_number_ = 0;
  std::vector<std::string> fields_;
  std::vector<double> row_;
};

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

TableFile parse_csv(std::string_view text, const std::filesystem::path& file, const TableReadOptions& options) {
  return CsvParser(file, options).parse(text);
}

void write_csv(const Log& table, const std::filesystem::path& file) {
  OutputFile output(file);
  const std::size_t num_columns = table.columns().size();
  std::string line;
  for (std::size_t column = 0; column < num_columns; ++column) {
    if (column > 0) line += ',';
    line += csv_field(table.columns()[column]);
  }
  output.write(line += '\n');
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    line.clear();
    for (std::size_t column = 0; column < num_columns; ++column) {
      if (column > 0) line += ',';
      append_number(line, table.at(row, column));
    }
    output.write(line += '\n');
  }
  output.close();
}

}  // namespace aplomb
