#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

/// Reads an input file of at most `max_bytes`, and records it (input_files.hpp). Throws FileError when the file is
/// missing, a folder, unreadable or larger; pipes are read too.
std::string read_file(const std::filesystem::path& file, std::size_t max_bytes);

/// Reads a file of any size that the program wrote itself, which is no input. Throws FileError.
std::string read_own_file(const std::filesystem::path& file);

/// Throws FileError with the line when `text` is not plain UTF-8: a binary file, a broken character, a control
/// character other than tab and line break. `source` is its name in the error.
void require_plain_text(std::string_view text, std::string_view source);

/// "no such file", with the folder that is missing or the file beside it whose name is closest; for errors.
std::string no_such_file(const std::filesystem::path& file);

/// `text` as a word of a shell's command line: in quotes where it has to be.
std::string shell_word(const std::string& text);

/// `text` for one line of an error message: control characters become spaces, text beyond `limit` bytes becomes "...".
std::string shortened(std::string_view text, std::size_t limit = 60);

}  // namespace aplomb
