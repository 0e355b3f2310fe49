#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace aplomb {

inline constexpr const char* kManifestFile = "manifest.sha256";

/// Writes manifest.sha256: the files of a result folder with their SHA-256, as `sha256sum --check` reads it.
/// timing.json is listed without a digest, in a comment, because times differ from run to run and a result's bytes must
/// not.
void write_manifest(const std::filesystem::path& folder);  ///< throws FileError

/// What is in a folder although its manifest does not list it, or not with these contents: files of the user, changed
/// files, links, inner folders; relative paths, sorted. Absent: the folder has no manifest of aplomb.
std::optional<std::vector<std::string>> foreign_files(const std::filesystem::path& folder);

}  // namespace aplomb
