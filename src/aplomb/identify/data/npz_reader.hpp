#pragma once

#include <filesystem>
#include <string_view>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// The vectors of an NPZ archive (NumPy's `savez`) as columns; all must have one length. Only stored members are
/// read, not deflated ones. Every offset and size is checked against `bytes`, every member against its checksum.
/// `file` is what errors call it. Throws FileError.
Log read_npz(std::string_view bytes, const std::filesystem::path& file);

}  // namespace aplomb
