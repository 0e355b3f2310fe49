#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// The size in bytes that write_npz gives to a log of these columns and this many rows. A zip file without its 64-bit
/// extension holds at most 4 GiB and 65535 members: throws InvalidValue, which says what fits, beyond either.
std::uint64_t npz_size(const std::vector<std::string>& columns, std::size_t num_rows);

/// CRC-32 as in IEEE 802.3, which zip uses.
std::uint32_t crc32(std::string_view bytes);

}  // namespace aplomb
