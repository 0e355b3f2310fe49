#include "aplomb/core/table/log_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30;

/// Columns of the same length, one after the other.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
};

Log log_of(Columns columns) {
  Log log(columns.names);
  const std::size_t num_rows = columns.values.empty() ? 0 : columns.values.front().size();
  log.reserve(num_rows);
  std::vector<double> row(columns.names.size());
  for (std::size_t i = 0; i < num_rows; ++i) {
    for (std::size_t column = 0; column < row.size(); ++column) row[column] = columns.values[column][i];
    log.append(row);
  }
  return log;
}

/// Zip members (PKWARE's APPNOTE, section 4.3.7) from the first byte on, up to the directory.
class NpzReader {
 public:
  NpzReader(std::string_view bytes, const std::filesystem::path& file) : bytes_(bytes), file_(file.string()) {}

  Columns read() {
    Columns columns;
    while (bytes_.substr(at_, 4) == "PK\x03\x04") read_member(columns);
    if (bytes_.substr(at_, 4) != "PK\x01\x02") fail("ends in the middle: it was not written to its end");
    for (const std::vector<double>& values : columns.values) {
      if (values.size() != columns.values.front().size()) fail("has columns of different lengths");
    }
    return columns;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FileError({.file = file_}, what); }

  std::uint32_t number(std::size_t at, std::size_t num_bytes) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < num_bytes; ++i) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    }
    return value;
  }

  void read_member(Columns& columns) {
    constexpr std::size_t kHeader = 30;
    if (bytes_.size() - at_ < kHeader) fail("ends in a member's header");
    const std::uint32_t method = number(at_ + 8, 2), size = number(at_ + 22, 4);
    const std::size_t name_size = number(at_ + 26, 2), extra_size = number(at_ + 28, 2);
    if (method != 0) fail("is compressed; only files that aplomb wrote are read");
    const std::size_t content = at_ + kHeader + name_size + extra_size;
    if (content > bytes_.size() || bytes_.size() - content < size)
      fail("ends in a member: it was not written to its end");
    std::string name(bytes_.substr(at_ + kHeader, name_size));
    if (!name.ends_with(".npy")) fail(fmt::format("has a member '{}' that is no column", shortened(name)));
    name.resize(name.size() - 4);
    columns.values.push_back(values_of(name, bytes_.substr(content, size)));
    columns.names.push_back(std::move(name));
    at_ = content + size;
  }

  std::vector<double> values_of(const std::string& name, std::string_view npy) const {
    constexpr std::size_t kPreamble = 10;
    const bool is_npy = npy.size() >= kPreamble && npy.starts_with(std::string_view("\x93NUMPY\x01\x00", 8));
    const std::size_t fields =
        is_npy ? static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]) : 0;
    if (!is_npy || npy.size() < kPreamble + fields || npy.substr(kPreamble, fields).find("'<f8'") == npy.npos) {
      fail(fmt::format("has a column '{}' that is not of float64", shortened(name)));
    }
    const std::string_view numbers = npy.substr(kPreamble + fields);
    if (numbers.size() % sizeof(double) != 0)
      fail(fmt::format("has a column '{}' with half a number", shortened(name)));
    std::vector<double> values(numbers.size() / sizeof(double));
    std::memcpy(values.data(), numbers.data(), numbers.size());
    return values;
  }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == line.npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// Columns of ours have no comma or quote in their names.
Log log_of_csv(std::string_view text, const std::filesystem::path& file) {
  Log log;
  std::vector<double> row;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) {
      throw FileError({.file = file.string(), .line = line_number}, "ends in this line: it was not written to its end");
    }
    const std::vector<std::string_view> fields = fields_of(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (line_number == 1) {
      log = Log(std::vector<std::string>(fields.begin(), fields.end()));
      continue;
    }
    row.clear();
    for (const std::string_view field : fields) {
      double value = 0.0;
      const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
      if (error != std::errc() || rest != field.data() + field.size()) break;
      row.push_back(value);
    }
    if (row.size() != log.columns().size() || fields.size() != row.size()) {
      throw FileError({.file = file.string(), .line = line_number},
                      fmt::format("has {} numbers in {} fields, the header names {} columns", row.size(), fields.size(),
                                  log.columns().size()));
    }
    log.append(row);
  }
  return log;
}

}  // namespace

Log read_log(const std::filesystem::path& file) {
  const std::string bytes = read_file(file, kMostBytes);
  if (file.extension() == ".npz") return log_of(NpzReader(bytes, file).read());
  return log_of_csv(bytes, file);
}

}  // namespace aplomb
