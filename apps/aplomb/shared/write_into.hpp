#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "aplomb/core/files/output_folder.hpp"

namespace aplomb {

/// Calls `write` with the folder's temporary path. An error (a full disk) names `out`, the folder that the user gave.
void write_into(const OutputFolder& folder, const std::string& out,
                const std::function<void(const std::filesystem::path&)>& write);

}  // namespace aplomb
