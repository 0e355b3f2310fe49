#include "retarget/file_bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1'000'000'000;

}  // namespace

std::string join_parts(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += fmt::format("{}\n", part.size()) + part;
  return text;
}

std::vector<std::string> split_parts(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto begin = static_cast<std::size_t>(end - text.data()) + 1;
    if (error != std::errc() || begin > text.size() || *end != '\n' || size > text.size() - begin) {
      throw InvalidValue(kDamagedItem);
    }
    parts.emplace_back(text.substr(begin, size));
    text.remove_prefix(begin + size);
  }
  return parts;
}

std::string pack_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> parts;
  for (const std::filesystem::path& file : files) {
    parts.push_back(file.lexically_relative(folder).generic_string());
    parts.push_back(read_file(file, kMostBytes));
  }
  return join_parts(parts);
}

void unpack_folder(std::string_view text, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::vector<std::string> parts = split_parts(text);
  if (parts.size() % 2 != 0) throw InvalidValue(kDamagedItem);
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    const std::filesystem::path name = parts[i];
    if (!name.is_relative() || std::ranges::find(name, "..") != name.end()) throw InvalidValue(kDamagedItem);
    std::filesystem::create_directories((folder / name).parent_path());
    write_file(folder / name, parts[i + 1]);
  }
}

}  // namespace aplomb
