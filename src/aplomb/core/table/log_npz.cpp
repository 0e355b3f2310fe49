#include "aplomb/core/table/log_npz.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/table/log.hpp"

// An NPZ file is a zip archive of NPY files (NumPy's format 1.0), here stored without compression; zip: PKWARE's
// APPNOTE 6.3.3, sections 4.3.7 (member), 4.3.12 (directory), 4.3.16 (end). Both are little-endian, as we are:
static_assert(std::endian::native == std::endian::little);

namespace aplomb {
namespace {

constexpr std::uint64_t kMemberHeader = 30;    // bytes before a member's name
constexpr std::uint64_t kDirectoryEntry = 46;  // bytes before its name in the directory
constexpr std::uint64_t kEndOfDirectory = 22;
constexpr std::uint32_t kFixedDate = 0x0021;  // 1 January 1980, the format's zero: the same log, the same bytes
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

std::string npy_header(std::size_t num_rows) {
  std::string fields = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", num_rows);
  constexpr std::size_t kPreamble = 10;  // magic, version, length
  // NumPy wants the numbers to begin at a multiple of 64 bytes, and a line break before them.
  while ((kPreamble + fields.size() + 1) % 64 != 0) fields += ' ';
  fields += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  append_u16(header, static_cast<std::uint32_t>(fields.size()));
  return header + fields;
}

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
  constexpr const char* kAdvice = "write the log as CSV (`--log csv`), or log fewer columns or a shorter run";
  for (const std::string& column : columns) {
    if (member_name(column).size() > 0xFFFFu)
      throw InvalidValue("a column's name of over 64 kB does not fit an NPZ file");
  }
  if (columns.size() > kMostMembers) {
    throw InvalidValue(fmt::format("a log of {} columns does not fit an NPZ file, which holds {}; {}", columns.size(),
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
      fmt::format("a log of {} rows and {} columns ({:.1f} GB) does not fit an NPZ file, which holds 4 GB; {}",
                  num_rows, columns.size(), bytes_of_numbers / 1e9, kAdvice));
}

void write_npz(const Log& log, const std::filesystem::path& file) {
  try {
    npz_size(log.columns(), log.num_rows());
  } catch (const InvalidValue& error) {
    throw FileError({file.string()}, error.what());
  }
  OutputFile output(file);
  std::string array = npy_header(log.num_rows());
  const std::size_t header_size = array.size();
  std::string directory;
  std::uint32_t offset = 0;
  for (std::size_t column = 0; column < log.columns().size(); ++column) {
    array.resize(header_size);
    for (std::size_t row = 0; row < log.num_rows(); ++row) {
      const auto bytes = std::bit_cast<std::array<char, sizeof(double)>>(log.at(row, column));
      array.append(bytes.data(), bytes.size());
    }
    const Member member{member_name(log.columns()[column]), crc32(array), static_cast<std::uint32_t>(array.size()),
                        offset};
    const std::string header = member_header(member);
    output.write(header);
    output.write(array);
    directory += directory_entry(member);
    offset += static_cast<std::uint32_t>(header.size() + array.size());
  }
  output.write(directory);
  output.write(end_of_directory(log.columns().size(), directory.size(), offset));
  output.close();
}

}  // namespace aplomb
