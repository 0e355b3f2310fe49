#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

// Serialisation for PartialResults, which stores one text per finished item.

inline constexpr const char* kDamagedItem =
    "a finished item in the .partial folder is damaged; remove the folder and start again";

/// Joins several texts into one, and splits it again. Throws InvalidValue on a text that join_parts did not write.
std::string join_parts(const std::vector<std::string>& parts);
std::vector<std::string> split_parts(std::string_view text);

/// Packs the files of a folder and its subfolders into one text, and unpacks them into a new folder. Throws FileError,
/// InvalidValue.
std::string pack_folder(const std::filesystem::path& folder);
void unpack_folder(std::string_view text, const std::filesystem::path& folder);

}  // namespace aplomb
