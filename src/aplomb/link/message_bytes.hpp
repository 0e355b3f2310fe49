#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace aplomb {

/// CRC-32 of ISO 3309 (zlib's), to be continued from an earlier `crc`.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// Appends numbers to a buffer that is large enough, little endian on every machine.
class MessageWriter {
 public:
  explicit MessageWriter(std::span<std::byte> out) : out_(out) {}
  void u16(std::uint16_t value) { number(value, 2); }
  void u32(std::uint32_t value) { number(value, 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  void f64(double value);
  void f64s(const Eigen::Ref<const Eigen::VectorXd>& values);
  void text64(std::string_view text);  ///< at most 63 bytes of it, then zeros, 64 bytes in all
  std::size_t size() const { return size_; }
  std::size_t room() const { return out_.size() - size_; }

 private:
  void number(std::uint64_t value, int bytes);

  std::span<std::byte> out_;
  std::size_t size_ = 0;
};

/// Takes numbers from bytes of which there are enough: the caller has compared the size.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  double f64();
  void f64s(Eigen::Ref<Eigen::VectorXd> values);
  std::string text64();  ///< up to its first zero; what is not printable ASCII becomes '?'
  void skip(std::size_t bytes) { at_ += bytes; }

 private:
  std::uint64_t number(int bytes);

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace aplomb
