#include "aplomb/identify/data/npz_reader.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <regex>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/log_npz.hpp"

namespace aplomb {
namespace {

/// Little-endian numbers at checked places of a file.
class Bytes {
 public:
  Bytes(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  [[noreturn]] void refuse(std::string_view what) const { throw FileError({file_}, what); }

  std::string_view part(std::size_t begin, std::size_t size) const {
    if (begin > bytes_.size() || size > bytes_.size() - begin) refuse("is damaged: a part lies beyond the file's end");
    return bytes_.substr(begin, size);
  }
  template <typename Integer>
  Integer number(std::size_t at) const {
    Integer value{};
    part(at, sizeof(Integer)).copy(reinterpret_cast<char*>(&value), sizeof(Integer));
    return value;
  }
  std::size_t end_of_directory() const {
    const std::size_t found = bytes_.rfind("PK\x05\x06");
    if (!bytes_.starts_with("PK") || found == std::string_view::npos) refuse("is not an NPZ file (no zip directory)");
    return found;
  }

 private:
  std::string_view bytes_;
  std::string file_;
};

struct Array {
  std::string name;
  std::vector<double> values;
};

template <typename Number>
std::vector<double> converted(std::string_view data) {
  std::vector<double> values(data.size() / sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number value{};
    std::memcpy(&value, data.data() + i * sizeof(Number), sizeof(Number));
    values[i] = static_cast<double>(value);
  }
  return values;
}

/// One NPY file: magic, version, header length, a Python dictionary as text, numbers.
std::vector<double> numbers_of(std::string_view npy, const std::string& name, const Bytes& file) {
  if (npy.size() < 12 || !npy.starts_with("\x93NUMPY")) file.refuse(fmt::format("array '{}' is no NPY data", name));
  const bool is_first_version = npy[6] == 1;
  std::uint32_t length = 0;
  std::memcpy(&length, npy.data() + 8, is_first_version ? 2 : 4);
  const std::size_t begin = is_first_version ? 10 : 12;
  if (length > npy.size() - begin) file.refuse(fmt::format("array '{}' is damaged: its header is too long", name));
  const std::string header(npy.substr(begin, length));
  static const std::regex kDescription("'descr': *'([^']*)'"), kShape("'shape': *\\(([0-9]{1,12}),\\)");
  std::smatch type, shape;
  if (!std::regex_search(header, type, kDescription) || !std::regex_search(header, shape, kShape)) {
    file.refuse(fmt::format("array '{}' is no vector; one vector a column is expected", name));
  }
  const std::string_view data = npy.substr(begin + length);
  const std::string kind = type[1];
  const std::size_t bytes_each = kind == "<f4" || kind == "<i4" ? 4 : 8;
  if (kind != "<f8" && kind != "<f4" && kind != "<i8" && kind != "<i4") {
    file.refuse(fmt::format("array '{}' has type '{}'; valid: <f8, <f4, <i8, <i4", name, kind));
  }
  if (std::stoull(shape[1]) != data.size() / bytes_each || data.size() % bytes_each != 0) {
    file.refuse(fmt::format("array '{}' is damaged: its shape and its size differ", name));
  }
  if (kind == "<f8") return converted<double>(data);
  if (kind == "<f4") return converted<float>(data);
  return kind == "<i8" ? converted<std::int64_t>(data) : converted<std::int32_t>(data);
}

/// The member whose directory entry is at `at`; moves `at` to the next entry.
Array member_at(std::size_t& at, const Bytes& file) {
  if (file.part(at, 4) != "PK\x01\x02") file.refuse("is damaged: its zip directory is broken");
  const auto method = file.number<std::uint16_t>(at + 10);
  const auto crc = file.number<std::uint32_t>(at + 16), size = file.number<std::uint32_t>(at + 20);
  const auto name_size = file.number<std::uint16_t>(at + 28);
  const std::size_t rest = file.number<std::uint16_t>(at + 30) + file.number<std::uint16_t>(at + 32);
  const std::size_t member = file.number<std::uint32_t>(at + 42);
  Array array{.name = std::string(file.part(at + 46, name_size))};
  at += 46 + name_size + rest;
  if (method != 0) {
    file.refuse(fmt::format("'{}' is compressed; write it with numpy.savez, not savez_compressed", array.name));
  }
  if (file.part(member, 4) != "PK\x03\x04") file.refuse("is damaged: a member is not where the directory says");
  const std::size_t begin =
      member + 30 + file.number<std::uint16_t>(member + 26) + file.number<std::uint16_t>(member + 28);
  const std::string_view data = file.part(begin, size);
  if (crc32(data) != crc) file.refuse(fmt::format("is damaged: the checksum of '{}' is wrong", array.name));
  if (array.name.ends_with(".npy")) array.name.resize(array.name.size() - 4);
  array.values = numbers_of(data, array.name, file);
  return array;
}

}  // namespace

Log read_npz(std::string_view bytes, const std::filesystem::path& file) {
  const Bytes reader(bytes, file.string());
  const std::size_t end = reader.end_of_directory();
  const auto count = reader.number<std::uint16_t>(end + 10);
  std::size_t at = reader.number<std::uint32_t>(end + 16);
  std::vector<Array> arrays;
  for (int i = 0; i < count; ++i) arrays.push_back(member_at(at, reader));
  if (arrays.empty()) reader.refuse("holds no arrays");
  std::vector<std::string> columns;
  for (const Array& array : arrays) {
    if (array.values.size() != arrays.front().values.size()) {
      reader.refuse(fmt::format("array '{}' has {} values, but '{}' has {}", array.name, array.values.size(),
                                arrays.front().name, arrays.front().values.size()));
    }
    columns.push_back(array.name);
  }
  Log log(columns);
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < arrays.front().values.size(); ++i) {
    for (std::size_t k = 0; k < arrays.size(); ++k) row[k] = arrays[k].values[i];
    log.append(row);
  }
  return log;
}

}  // namespace aplomb
