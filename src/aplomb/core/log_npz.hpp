#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aplomb {

/// The size in bytes that write_npz gives to a log of these columns and this many rows. A zip file without its 64-bit
/// extension holds at most 4 GiB and 65535 members: throws InvalidValue, which says what fits, beyond either.
std::uint64_t npz_size(const std::vector<std::string>& columns, std::size_t num_rows);

}  // namespace aplomb
