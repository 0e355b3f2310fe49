#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

/// The SHA-256 digest (FIPS 180-4) of `bytes`, as 64 hexadecimal digits: identifies the file of a result.
std::string sha256(std::string_view bytes);

/// The digest of a file of any size; throws FileError.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace aplomb
