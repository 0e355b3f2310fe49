#include "retarget/file_bundle.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/files/text_parts.hpp"

namespace aplomb {
std::string pack_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> parts;
  for (const std::filesystem::path& file : files) {
    parts.push_back(file.lexically_relative(folder).generic_string());
    parts.push_back(read_own_file(file));
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
