#include "aplomb/core/table/npz.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <regex>
#include <string>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/table_file.hpp"

// An NPZ file is a zip archive of NPY files (NumPy's format 1.0), here stored without compression; zip: PKWARE's
// APPNOTE 6.3.3, sections 4.3.7 (member), 4.3.12 (directory), 4.3.16 (end). Both are little-endian, like this code:
static_assert(std::endian::native == std::endian::little);

namespace aplomb {
namespace {

constexpr std::uint64_t kMemberHeader = 30;    // bytes before a member's name
constexpr std::uint64_t kDirectoryEntry = 46;  // bytes before its name in the directory
constexpr std::uint64_t kEndOfDirectory = 22;
constexpr std::uint32_t kFixedDate = 0x0021;  // 1 January 1980, the format's zero: equal logs give equal bytes
constexpr std::uint16_t kVersion = 20;        // 2.0
constexpr std::uint16_t kUtf8Names = 1u << 11;
constexpr std::uint32_t kReadableFile = 0100644u << 16;  // -rw-r--r--, for unzip

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) != 0 ? 0xEDB88320u : 0u);
    table[byte] = value;
  }
  return table;
}

void append_u16(std::string& bytes, std::uint32_t value) {
  bytes += static_cast<char>(value & 0xFFu);
  bytes += static_cast<char>((value >> 8) & 0xFFu);
}

void append_u32(std::string& bytes, std::uint32_t value) {
  append_u16(bytes, value & 0xFFFFu);
  append_u16(bytes, value >> 16);
}

std::string npy_header(std::string_view type, const std::vector<std::size_t>& shape) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  if (shape.size() == 1) sizes += ',';
  std::string fields = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  constexpr std::size_t kPreamble = 10;  // magic, version, length
  // NumPy requires the numbers to begin at a multiple of 64 bytes, and a line break before them.
  while ((kPreamble + fields.size() + 1) % 64 != 0) fields += ' ';
  fields += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  append_u16(header, static_cast<std::uint32_t>(fields.size()));
  return header + fields;
}

std::string npy_header(std::size_t num_rows) { return npy_header("<f8", {num_rows}); }

std::string member_name(const std::string& column) { return column + ".npy"; }

struct Member {
  std::string name;
  std::uint32_t crc = 0;
  std::uint32_t size = 0;
  std::uint32_t offset = 0;
};

/// The fields that a member and its directory entry share, from the version needed to the length of the name.
void append_common(std::string& bytes, const Member& member) {
  append_u16(bytes, kVersion);
  append_u16(bytes, kUtf8Names);
  append_u16(bytes, 0);  // stored, not compressed
  append_u16(bytes, 0);  // midnight
  append_u16(bytes, kFixedDate);
  append_u32(bytes, member.crc);
  append_u32(bytes, member.size);  // compressed
  append_u32(bytes, member.size);
  append_u16(bytes, static_cast<std::uint32_t>(member.name.size()));
  append_u16(bytes, 0);  // no extra field
}

std::string member_header(const Member& member) {
  std::string bytes("PK\x03\x04");
  append_common(bytes, member);
  return bytes + member.name;
}

std::string directory_entry(const Member& member) {
  std::string bytes("PK\x01\x02");
  append_u16(bytes, kVersion | (3u << 8));  // made on Unix, so that the permissions below are read
  append_common(bytes, member);
  append_u16(bytes, 0);  // no comment
  append_u16(bytes, 0);  // on disk 0
  append_u16(bytes, 0);  // binary
  append_u32(bytes, kReadableFile);
  append_u32(bytes, member.offset);
  return bytes + member.name;
}

std::string end_of_directory(std::size_t num_members, std::size_t size, std::uint32_t offset) {
  std::string bytes("PK\x05\x06");
  append_u32(bytes, 0);  // one disk
  append_u16(bytes, static_cast<std::uint32_t>(num_members));
  append_u16(bytes, static_cast<std::uint32_t>(num_members));
  append_u32(bytes, static_cast<std::uint32_t>(size));
  append_u32(bytes, offset);
  append_u16(bytes, 0);  // no comment
  return bytes;
}

constexpr std::size_t kMaxNpyHeader = 4096;  // NumPy writes 118 bytes for a vector

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

/// Reads the members that the zip directory lists.
class NpzParser {
 public:
  NpzParser(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  std::vector<NpzArray> parse() {
    const std::size_t end = end_of_directory();
    const auto count = number<std::uint16_t>(end + 10);
    at_ = number<std::uint32_t>(end + 16);
    std::vector<NpzArray> arrays;
    for (int i = 0; i < count; ++i) arrays.push_back(next_array());
    if (arrays.empty()) refuse("holds no arrays");
    return arrays;
  }

 private:
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
    if (!bytes_.starts_with("PK") || found == std::string_view::npos) {
      refuse("is not an NPZ file, or was not written to its end: it has no zip directory");
    }
    part(found, kEndOfDirectory);
    return found;
  }

  /// The array whose directory entry is at `at_`; moves `at_` to the next entry.
  NpzArray next_array() {
    if (part(at_, 4) != "PK\x01\x02") refuse("is damaged: its zip directory lacks an entry");
    const auto method = number<std::uint16_t>(at_ + 10);
    const auto crc = number<std::uint32_t>(at_ + 16), size = number<std::uint32_t>(at_ + 20);
    const auto name_size = number<std::uint16_t>(at_ + 28);
    const std::size_t rest = number<std::uint16_t>(at_ + 30) + number<std::uint16_t>(at_ + 32);
    const std::size_t member = number<std::uint32_t>(at_ + 42);
    std::string name(part(at_ + kDirectoryEntry, name_size));
    at_ += kDirectoryEntry + name_size + rest;
    if (method != 0) {
      refuse(fmt::format("'{}' is compressed; write it with numpy.savez, not savez_compressed", shortened(name)));
    }
    if (part(member, 4) != "PK\x03\x04") refuse("is damaged: a member is not where the directory says");
    const std::size_t begin =
        member + kMemberHeader + number<std::uint16_t>(member + 26) + number<std::uint16_t>(member + 28);
    const std::string_view data = part(begin, size);
    // Entries that share their bytes could ask for far more memory than the file is large.
    bytes_read_ += data.size();
    if (bytes_read_ > bytes_.size()) refuse("is damaged: its members overlap");
    if (crc32(data) != crc) refuse(fmt::format("is damaged: the checksum of '{}' is wrong", shortened(name)));
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    NpzArray array = array_of(data, shortened(name));
    array.name = std::move(name);
    return array;
  }

  /// The numbers of one NPY file: magic, version, header length, a Python dictionary as text, numbers.
  NpzArray array_of(std::string_view npy, const std::string& name) const {
    if (npy.size() < 12 || !npy.starts_with("\x93NUMPY")) refuse(fmt::format("array '{}' is not NPY data", name));
    const bool is_first_version = npy[6] == 1;
    std::uint32_t length = 0;
    std::memcpy(&length, npy.data() + 8, is_first_version ? 2 : 4);
    const std::size_t begin = is_first_version ? 10 : 12;
    if (length > npy.size() - begin || length > kMaxNpyHeader) {
      refuse(fmt::format("array '{}' is damaged: its header is too long", name));
    }
    const std::string header(npy.substr(begin, length));
    static const std::regex kDescription("'descr': *'([^']*)'");
    static const std::regex kShape("'shape': *\\(((?:[0-9]{1,12}(?:, ?)?){0,4})\\)");
    std::smatch type, shape;
    if (header.find("|O") != std::string::npos) {
      refuse(fmt::format("array '{}' holds Python objects, which are not read: they could run code", name));
    }
    if (!std::regex_search(header, type, kDescription) || !std::regex_search(header, shape, kShape)) {
      refuse(fmt::format("array '{}' is not a plain array of numbers or text with up to four axes", name));
    }
    NpzArray array;
    const std::string axes = shape[1];
    static const std::regex kAxis("[0-9]+");
    for (auto axis = std::sregex_iterator(axes.begin(), axes.end(), kAxis); axis != std::sregex_iterator(); ++axis) {
      array.shape.push_back(std::stoull(axis->str()));
    }
    const bool is_by_columns = array.shape.size() > 1 && header.find("'fortran_order': True") != std::string::npos;
    const std::string_view data = npy.substr(begin + length);
    const std::string kind = type[1];
    const std::size_t letters = text_length(kind);
    const bool is_text = letters > 0;
    const std::size_t bytes_each = kind[0] == '|'                   ? letters
                                   : is_text                        ? 4 * letters
                                   : kind == "<f4" || kind == "<i4" ? 4
                                                                    : 8;
    if (!is_text && kind != "<f8" && kind != "<f4" && kind != "<i8" && kind != "<i4") {
      refuse(fmt::format("array '{}' has type '{}'; valid: <f8, <f4, <i8, <i4", name, shortened(kind)));
    }
    // Each factor is checked against the data, so that the product cannot overflow.
    std::size_t expected = bytes_each;
    for (const std::size_t axis : array.shape) {
      if (axis > 0 && expected > data.size() / axis)
        expected = data.size() + 1;
      else
        expected *= axis;
    }
    if (expected != data.size()) refuse(fmt::format("array '{}' is damaged: its shape and its size differ", name));
    if (is_text) {
      if (is_by_columns) refuse(fmt::format("array '{}' is a table of texts; names are a list", name));
      for (std::size_t at = 0; at < data.size(); at += bytes_each)
        array.texts.push_back(text_of(data.substr(at, bytes_each), bytes_each / letters));
      return array;
    }
    array.type = kind == "<f8"   ? NpzArray::Type::float64
                 : kind == "<f4" ? NpzArray::Type::float32
                                 : NpzArray::Type::int64;
    if (kind == "<f8") array.values = converted<double>(data);
    if (kind == "<f4") array.values = converted<float>(data);
    if (kind == "<i8") array.values = converted<std::int64_t>(data);
    if (kind == "<i4") array.values = converted<std::int32_t>(data);
    if (is_by_columns) array.values = by_rows(array);
    return array;
  }

  /// Numbers of which the first index runs fastest (Fortran's order), with the last one fastest.
  static std::vector<double> by_rows(const NpzArray& array) {
    std::vector<double> values(array.values.size());
    std::vector<std::size_t> index(array.shape.size(), 0);
    for (double& value : values) {
      std::size_t at = 0;
      for (std::size_t axis = index.size(); axis-- > 0;) at = at * array.shape[axis] + index[axis];
      value = array.values[at];
      for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == array.shape[axis];) index[axis] = 0;
    }
    return values;
  }

  /// Letters of each text in an array of type <U12 or |S12; 0 for any other type.
  static std::size_t text_length(const std::string& kind) {
    static const std::regex kText("(<U|\\|S)([0-9]{1,5})");
    std::smatch found;
    return std::regex_match(kind, found, kText) ? std::stoull(found[2]) : 0;
  }

  /// Characters of 4 bytes (U) or 1 byte (S), filled up with zeros; what is not ASCII becomes '?'.
  static std::string text_of(std::string_view bytes, std::size_t bytes_each) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += bytes_each) {
      std::uint32_t letter = 0;
      bytes.substr(at, bytes_each).copy(reinterpret_cast<char*>(&letter), bytes_each);
      if (letter == 0) break;
      text += letter >= 0x20 && letter < 0x7F ? static_cast<char>(letter) : '?';
    }
    return text;
  }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0, bytes_read_ = 0;
};

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static constexpr auto kTable = make_crc_table();
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFFu];
  return ~crc;
}

std::uint64_t npz_size(const std::vector<std::string>& columns, std::size_t num_rows) {
  constexpr std::uint64_t kLargest = 0xFFFFFFFEu;  // 0xFFFFFFFF announces the 64-bit extension
  constexpr std::size_t kMostMembers = 0xFFFEu;
  constexpr const char* kAdvice = "write it as CSV (`--log csv`), or log fewer columns or a shorter run";
  for (const std::string& column : columns) {
    if (member_name(column).size() > 0xFFFFu)
      throw InvalidValue("a column's name of over 64 kB does not fit an NPZ file");
  }
  if (columns.size() > kMostMembers) {
    throw InvalidValue(fmt::format("a table of {} columns does not fit an NPZ file, which holds {}; {}", columns.size(),
                                   kMostMembers, kAdvice));
  }
  const double bytes_of_numbers = 8.0 * static_cast<double>(num_rows) * static_cast<double>(columns.size());
  std::uint64_t size = kEndOfDirectory;
  // In floating point first: the exact sum could pass 64 bits.
  if (bytes_of_numbers < static_cast<double>(kLargest)) {
    const std::uint64_t array_size = npy_header(num_rows).size() + 8 * std::uint64_t{num_rows};
    for (const std::string& column : columns) {
      size += kMemberHeader + kDirectoryEntry + 2 * member_name(column).size() + array_size;
    }
    if (size <= kLargest) return size;
  }
  throw InvalidValue(
      fmt::format("a table of {} rows and {} columns ({:.1f} GB) does not fit an NPZ file, which holds 4 GB; {}",
                  num_rows, columns.size(), bytes_of_numbers / 1e9, kAdvice));
}

std::size_t NpzArray::size() const {
  std::size_t size = 1;
  for (const std::size_t axis : shape) size *= axis;
  return size;
}

std::vector<NpzArray> parse_npz_arrays(std::string_view bytes, const std::filesystem::path& file) {
  return NpzParser(bytes, file.string()).parse();
}

Log parse_npz(std::string_view bytes, const std::filesystem::path& file) {
  const std::vector<NpzArray> arrays = parse_npz_arrays(bytes, file);
  const auto refuse = [&](std::string_view what) { throw FileError({file.string()}, what); };
  std::vector<std::string> columns;
  for (const NpzArray& array : arrays) {
    if (array.shape.size() != 1 || !array.texts.empty()) {
      refuse(fmt::format("array '{}' is not a vector; one vector a column is expected", shortened(array.name)));
    }
    if (array.values.size() != arrays.front().values.size()) {
      refuse(fmt::format("array '{}' has {} values, but '{}' has {}", shortened(array.name), array.values.size(),
                         shortened(arrays.front().name), arrays.front().values.size()));
    }
    columns.push_back(array.name);
  }
  Log table;
  try {
    table = Log(columns);
  } catch (const InvalidValue& error) {
    refuse(error.what());
  }
  table.reserve(arrays.front().values.size());
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < arrays.front().values.size(); ++i) {
    for (std::size_t k = 0; k < arrays.size(); ++k) row[k] = arrays[k].values[i];
    table.append(row);
  }
  return table;
}

namespace {

/// Writes members one after the other, then the directory.
class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& file) : output_(file) {}

  void add(const std::string& name, std::string_view array) {
    const Member member{member_name(name), crc32(array), static_cast<std::uint32_t>(array.size()), offset_};
    const std::string header = member_header(member);
    output_.write(header);
    output_.write(array);
    directory_ += directory_entry(member);
    offset_ += static_cast<std::uint32_t>(header.size() + array.size());
    ++num_members_;
  }

  void close() {
    output_.write(directory_);
    output_.write(end_of_directory(num_members_, directory_.size(), offset_));
    output_.close();
  }

 private:
  OutputFile output_;
  std::string directory_;
  std::uint32_t offset_ = 0;
  std::size_t num_members_ = 0;
};

template <typename Number>
void append_value(std::string& bytes, Number value) {
  const auto part = std::bit_cast<std::array<char, sizeof(Number)>>(value);
  bytes.append(part.data(), part.size());
}

std::string npy_of(const NpzArray& array) {
  if (array.values.empty() && !array.texts.empty()) {
    std::size_t longest = 1;
    for (const std::string& text : array.texts) longest = std::max(longest, text.size());
    std::string bytes = npy_header(fmt::format("<U{}", longest), array.shape);
    for (const std::string& text : array.texts) {
      for (std::size_t i = 0; i < longest; ++i)
        append_u32(bytes, i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
    }
    return bytes;
  }
  constexpr const char* kTypes[] = {"<f8", "<f4", "<i8"};
  std::string bytes = npy_header(kTypes[static_cast<std::size_t>(array.type)], array.shape);
  for (const double value : array.values) {
    if (array.type == NpzArray::Type::float64) append_value(bytes, value);
    if (array.type == NpzArray::Type::float32) append_value(bytes, static_cast<float>(value));
    if (array.type == NpzArray::Type::int64) append_value(bytes, static_cast<std::int64_t>(value));
  }
  return bytes;
}

}  // namespace

void write_npz_arrays(const std::vector<NpzArray>& arrays, const std::filesystem::path& file) {
  std::uint64_t bytes = 0;
  for (const NpzArray& array : arrays) bytes += 8 * array.size() + 1000;
  if (bytes > 0xFFFFFFF0u)
    throw FileError({file.string()}, "more than 4 GB do not fit an NPZ file; write a shorter motion");
  NpzWriter writer(file);
  for (const NpzArray& array : arrays) writer.add(array.name, npy_of(array));
  writer.close();
}

void write_npz(const Log& table, const std::filesystem::path& file) {
  try {
    npz_size(table.columns(), table.num_rows());
  } catch (const InvalidValue& error) {
    throw FileError({file.string()}, error.what());
  }
  NpzWriter writer(file);
  std::string array = npy_header(table.num_rows());
  const std::size_t header_size = array.size();
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    array.resize(header_size);
    for (std::size_t row = 0; row < table.num_rows(); ++row) append_value(array, table.at(row, column));
    writer.add(table.columns()[column], array);
  }
  writer.close();
}

}  // namespace aplomb
