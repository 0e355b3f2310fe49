#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "aplomb/recording/c3d_file.hpp"

namespace aplomb {

static_assert(std::endian::native == std::endian::little);

template <Processor processor>
std::uint16_t word_at(const char* at) {
  std::uint16_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  if constexpr (processor == Processor::sgi) word = static_cast<std::uint16_t>((word << 8) | (word >> 8));
  return word;
}

template <Processor processor>
float real_at(const char* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  if constexpr (processor == Processor::sgi) bits = __builtin_bswap32(bits);
  if constexpr (processor == Processor::dec) {
    // A VAX F real: the word with sign and exponent comes first, and its value is a quarter of the same bits read as
    // IEEE 754, because the exponent is biased by 128 and the hidden bit is to the right of the binary point. There is
    // no infinity.
    bits = (bits << 16) | (bits >> 16);
    const std::uint32_t exponent = (bits >> 23) & 0xFFU;
    if (exponent == 0) return 0.0F;
    if (exponent > 2) return std::bit_cast<float>(bits - (2U << 23));
    return 0.25F * std::bit_cast<float>(bits);
  }
  return std::bit_cast<float>(bits);
}

inline std::uint16_t word_at(Processor processor, const char* at) {
  return processor == Processor::sgi ? word_at<Processor::sgi>(at) : word_at<Processor::intel>(at);
}

inline float real_at(Processor processor, const char* at) {
  if (processor == Processor::sgi) return real_at<Processor::sgi>(at);
  return processor == Processor::dec ? real_at<Processor::dec>(at) : real_at<Processor::intel>(at);
}

}  // namespace aplomb
