#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "aplomb/core/files/output_folder.hpp"

namespace aplomb {

/// Calls `write` with the folder's temporary path. Errors, e.g. a full disk, name `out`, the folder given by the user.
void write_into(const OutputFolder& folder, const std::string& out,
                const std::function<void(const std::filesystem::path&)>& write);

}  // namespace aplomb
