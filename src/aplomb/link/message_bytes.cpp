#include "aplomb/link/message_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace aplomb {
namespace {

constexpr std::size_t kTextBytes = 64;

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1U) != 0 ? 0xEDB88320U ^ (value >> 1U) : value >> 1U;
    table[i] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
  crc = ~crc;
  for (const std::byte byte : bytes) {
    crc = kCrcTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU] ^ (crc >> 8U);
  }
  return ~crc;
}

void MessageWriter::number(std::uint64_t value, int bytes) {
  assert(room() >= static_cast<std::size_t>(bytes));
  for (int i = 0; i < bytes; ++i) out_[size_++] = static_cast<std::byte>(value >> (8 * i));
}

void MessageWriter::f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

void MessageWriter::f64s(const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) f64(values[i]);
}

void MessageWriter::text64(std::string_view text) {
  for (std::size_t i = 0; i < kTextBytes; ++i) {
    number(i + 1 < kTextBytes && i < text.size() ? static_cast<unsigned char>(text[i]) : 0U, 1);
  }
}

std::uint64_t MessageReader::number(int bytes) {
  assert(bytes_.size() - at_ >= static_cast<std::size_t>(bytes));
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= std::to_integer<std::uint64_t>(bytes_[at_++]) << (8 * i);
  return value;
}

double MessageReader::f64() { return std::bit_cast<double>(u64()); }

void MessageReader::f64s(Eigen::Ref<Eigen::VectorXd> values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = f64();
}

std::string MessageReader::text64() {
  std::string text;
  bool has_ended = false;
  for (std::size_t i = 0; i < kTextBytes; ++i) {
    const auto letter = static_cast<char>(number(1));
    has_ended = has_ended || letter == '\0' || i + 1 == kTextBytes;
    if (!has_ended) text += letter >= ' ' && letter <= '~' ? letter : '?';
  }
  return text;
}

}  // namespace aplomb
