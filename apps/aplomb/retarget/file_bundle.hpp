#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

// For PartialResults, which keeps one text for each finished item.

inline constexpr const char* kDamagedItem =
    "a finished item in the .partial folder is damaged; remove the folder and start again";

/// Several texts as one, and back. Throws InvalidValue on a text that join_parts did not write.
std::string join_parts(const std::vector<std::string>& parts);
std::vector<std::string> split_parts(std::string_view text);

/// The files of a folder (and of those in it) as one text, and back into a folder, which is made. Throws FileError,
/// InvalidValue.
std::string pack_folder(const std::filesystem::path& folder);
void unpack_folder(std::string_view text, const std::filesystem::path& folder);

}  // namespace aplomb
