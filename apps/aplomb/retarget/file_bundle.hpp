#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

// Serialisation for PartialResults, which stores one text per finished item.

inline constexpr const char* kDamagedItem =
    "a finished item in the .partial folder is damaged; remove the folder and start again";

/// Packs the files of a folder and its subfolders into one text, and unpacks them into a new folder. Throws FileError,
/// InvalidValue.
std::string pack_folder(const std::filesystem::path& folder);
void unpack_folder(std::string_view text, const std::filesystem::path& folder);

}  // namespace aplomb
