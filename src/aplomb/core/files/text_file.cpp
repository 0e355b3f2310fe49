#include "aplomb/core/files/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"

namespace aplomb {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Length of the UTF-8 character that `text` starts with; 0 when it is malformed, overlong, a surrogate or too large.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80U) return 1;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < length) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), is_continuation)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if (first == 0xE0U && second < 0xA0U) return 0;   // overlong
  if (first == 0xEDU && second >= 0xA0U) return 0;  // surrogate
  if (first == 0xF0U && second < 0x90U) return 0;   // overlong
  if (first == 0xF4U && second >= 0x90U) return 0;  // beyond U+10FFFF
  return length;
}

bool is_control(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20U || value == 0x7FU;
}

std::string read_bytes(const std::filesystem::path& file, std::size_t max_bytes) {
  const Place place{file.string()};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw FileError(place, no_such_file(file));
  if (std::filesystem::is_directory(status)) throw FileError(place, "is a folder, not a file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
  // Reading one byte beyond the limit detects a file that is too large, whatever size it reports (a pipe has none).
  std::string text;
  char chunk[65536];
  while (text.size() <= max_bytes && stream.read(chunk, sizeof(chunk)).gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw FileError(place, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.size() > max_bytes) {
    throw FileError(
        place, fmt::format("is larger than {:g} MB, the most that is read", 1e-6 * static_cast<double>(max_bytes)));
  }
  return text;
}

}  // namespace

std::string no_such_file(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) {
    return fmt::format("no such file: there is no folder '{}'", folder.string());
  }
  std::vector<std::string> beside;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == file.extension()) beside.push_back(entry.path().filename().string());
  }
  std::ranges::sort(beside);
  const std::string neighbour = nearest_name(file.filename().string(), beside);
  return neighbour.empty() ? "no such file" : fmt::format("no such file; closest is '{}' beside it", neighbour);
}

std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_-./=:,@%+", c) != nullptr; };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string read_file(const std::filesystem::path& file, std::size_t max_bytes) {
  note_input(file);
  return read_bytes(file, max_bytes);
}

std::string read_own_file(const std::filesystem::path& file) {
  return read_bytes(file, std::numeric_limits<std::size_t>::max() - 1);
}

void require_plain_text(std::string_view text, std::string_view source) {
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char byte = text[at];
    const std::size_t length = character_length(text.substr(at));
    if (length == 0 || (is_control(byte) && byte != '\t' && byte != '\n' && byte != '\r')) {
      throw FileError({std::string(source), line},
                      fmt::format("not a text file: byte 0x{:02x}, UTF-8 text is expected",
                                  static_cast<unsigned>(static_cast<unsigned char>(byte))));
    }
    if (byte == '\n') ++line;
    at += length;
  }
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::size_t end = std::min(text.size(), limit);
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  std::string line(text.substr(0, end));
  std::ranges::replace_if(line, is_control, ' ');
  return end < text.size() ? line + "..." : line;
}

}  // namespace aplomb
