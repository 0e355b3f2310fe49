#include "aplomb/identify/data/table_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/identify/data/npz_reader.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1u << 30;
constexpr std::size_t kMostColumns = 10'000;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The fields of one line; a quoted field may hold commas and doubled quotes, but no line break.
std::vector<std::string> split(std::string_view line, const Place& place) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) fields.back() += line[i++];
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  if (is_quoted) throw FileError(place, "a quote is opened and not closed on this line");
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

std::optional<double> to_number(std::string_view text) {
  if (text.empty() || text == "nan" || text == "NaN" || text == "NAN") return std::numeric_limits<double>::quiet_NaN();
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> header_of(std::string_view line, const Place& place) {
  std::vector<std::string> columns = split(line, place);
  if (columns.size() == 1 && line.find_first_of(";\t") != std::string_view::npos) {
    throw FileError(place, "the columns are separated by semicolons or tabs; write commas, and numbers with a point");
  }
  for (const std::string& name : columns) {
    if (name.empty()) throw FileError(place, "a column of the header has no name");
    if (to_number(name))
      throw FileError(place, fmt::format("the first line must name the columns, but has '{}'", name));
  }
  if (columns.size() > kMostColumns) throw FileError(place, fmt::format("more than {} columns", kMostColumns));
  return columns;
}

std::vector<double> row_of(std::string_view line, const std::vector<std::string>& columns, const Place& place) {
  const std::vector<std::string> fields = split(line, place);
  if (fields.size() != columns.size()) {
    throw FileError(place, fmt::format("{} fields, but the header names {} columns", fields.size(), columns.size()));
  }
  std::vector<double> row(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::optional<double> value = to_number(fields[i]);
    if (!value) {
      throw FileError(place, fmt::format("column '{}' has '{}', which is no number", columns[i], shortened(fields[i])));
    }
    row[i] = *value;
  }
  return row;
}

TableFile read_csv(const std::filesystem::path& file, const std::string& text) {
  require_plain_text(text, file.string());
  TableFile read{.file = file};
  std::vector<std::string> columns;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // a byte order mark
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trimmed(line).empty()) continue;
    const Place place{file.string(), number};
    if (columns.empty()) {
      columns = header_of(line, place);
      try {
        read.table = Log(columns);
      } catch (const InvalidValue& error) {
        throw FileError(place, error.what());
      }
      continue;
    }
    read.table.append(row_of(line, columns, place));
    read.lines.push_back(number);
  }
  if (columns.empty()) throw FileError({file.string()}, "is empty; a header line and rows of numbers are expected");
  if (read.lines.empty()) throw FileError({file.string()}, "has a header and no rows");
  return read;
}

}  // namespace

Place TableFile::place(std::size_t row) const {
  return {.file = file.string(), .line = lines.empty() ? 0 : lines[row]};
}

std::string TableFile::row_text(std::size_t row) const {
  return lines.empty() ? fmt::format("row {}: ", row + 1) : std::string();
}

TableFile read_table(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".csv" && ending != ".npz") {
    throw FileError({file.string()}, fmt::format("ends in '{}'; a posture file is .csv or .npz", ending));
  }
  const std::string bytes = read_file(file, kMostBytes);
  if (ending == ".csv") return read_csv(file, bytes);
  TableFile read{.file = file, .table = read_npz(bytes, file)};
  if (read.table.num_rows() == 0) throw FileError({file.string()}, "holds no rows");
  return read;
}

}  // namespace aplomb
