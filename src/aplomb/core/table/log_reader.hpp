#pragma once

#include <filesystem>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Reads back what write_npz wrote (a .npz file) or write_csv (any other): at most 4 GB, bounded by the file's own
/// size. Of NPZ only what we write is understood: members that are stored, not compressed, each one column of float64.
/// Throws FileError, with the member or the line.
Log read_log(const std::filesystem::path& file);

}  // namespace aplomb
