#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Size in bytes of the file that write_npz writes for these columns and this many rows. A zip file without its 64-bit
/// extension holds at most 4 GiB and 65535 members: throws InvalidValue, which says what fits, beyond either.
std::uint64_t npz_size(const std::vector<std::string>& columns, std::size_t num_rows);

/// The vectors of an NPZ archive (NumPy's `savez`) as columns of float64; all must have the same length. Members may
/// hold float64, float32, int64 or int32, and must be stored, not deflated. Every offset and size is checked against
/// `bytes`, every member against its checksum. `file` is the name in errors. Throws FileError.
Log parse_npz(std::string_view bytes, const std::filesystem::path& file);

/// CRC-32 as in IEEE 802.3, which zip uses.
std::uint32_t crc32(std::string_view bytes);

}  // namespace aplomb
