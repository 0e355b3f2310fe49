#include "aplomb/core/files/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

using Word = std::uint32_t;
using Digest = std::array<Word, 8>;
constexpr std::size_t kBlockBytes = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<Word, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Big-endian word number `index` of a block.
Word word_at(std::string_view block, std::size_t index) {
  Word word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = (word << 8U) | static_cast<unsigned char>(block[4 * index + i]);
  return word;
}

/// The message schedule (FIPS 180-4, 6.2.2 step 1).
std::array<Word, 64> schedule(std::string_view block) {
  std::array<Word, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = word_at(block, t);
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
    const Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  return w;
}

/// One block (FIPS 180-4, 6.2.2 steps 2 to 4), with the standard's letters.
void mix(Digest& digest, std::string_view block) {
  const std::array<Word, 64> w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word choose = (e & f) ^ (~e & g);
    const Word t1 = h + sum1 + choose + kRound[t] + w[t];
    const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + sum0 + majority;
  }
  const Digest change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] += change[i];
}

void mix_all(Digest& digest, std::string_view blocks) {
  for (; blocks.size() >= kBlockBytes; blocks.remove_prefix(kBlockBytes)) mix(digest, blocks.substr(0, kBlockBytes));
}

/// A digest that is computed in pieces; all but the last are whole blocks.
class Hash {
 public:
  void add_blocks(std::string_view blocks) {
    mix_all(digest_, blocks);
    num_bytes_ += blocks.size();
  }

  std::string finish(std::string_view rest) {
    const std::size_t whole = rest.size() / kBlockBytes * kBlockBytes;
    add_blocks(rest.substr(0, whole));
    mix_all(digest_, padded(rest.substr(whole)));
    std::string hex;
    for (const Word word : digest_) hex += fmt::format("{:08x}", word);
    return hex;
  }

 private:
  /// The bytes after the last whole block, a one bit, zeros, and the length in bits (FIPS 180-4, 5.1.1).
  std::string padded(std::string_view rest) const {
    std::string tail(rest);
    tail += '\x80';
    while (tail.size() % kBlockBytes != kBlockBytes - 8) tail += '\0';
    const std::uint64_t bits = 8ULL * (num_bytes_ + rest.size());
    for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>((bits >> shift) & 0xFFU);
    return tail;
  }

  Digest digest_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::uint64_t num_bytes_ = 0;
};

}  // namespace

std::string sha256(std::string_view bytes) { return Hash().finish(bytes); }

std::string sha256_of_file(const std::filesystem::path& file) {
  const Place place{file.string()};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw FileError(place, no_such_file(file));
  if (std::filesystem::is_directory(status)) throw FileError(place, "is a folder, not a file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
  Hash hash;
  std::string chunk(std::size_t{1} << 18, '\0');
  static_assert((std::size_t{1} << 18) % kBlockBytes == 0);
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()))) hash.add_blocks(chunk);
  if (stream.bad()) throw FileError(place, fmt::format("cannot be read: {}", std::strerror(errno)));
  return hash.finish(std::string_view(chunk).substr(0, static_cast<std::size_t>(stream.gcount())));
}

}  // namespace aplomb
