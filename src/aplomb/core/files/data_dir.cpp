#include "aplomb/core/files/data_dir.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

std::filesystem::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&data_dir), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return std::filesystem::weakly_canonical(info.dli_fname, error).parent_path();
}

std::filesystem::path find_data_dir() {
  const std::filesystem::path folder = library_folder();
  // Debian's LIBDIR may have one more level: lib/x86_64-linux-gnu.
  for (const char* up : {"..", "../.."}) {
    const std::filesystem::path candidate = (folder / up / "share/aplomb").lexically_normal();
    std::error_code error;
    if (std::filesystem::is_directory(candidate / "robots", error)) return candidate;
  }
  throw FileError({(folder / "../share/aplomb").lexically_normal().string()},
                  "the robots and scenarios that come with aplomb are not there; build or install it again");
}

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// Entries of a folder, sorted by name; none when there is no such folder.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

bool is_known(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::filesystem::path data_dir() {
  static const std::filesystem::path found = find_data_dir();
  return found;
}

std::vector<std::string> robot_names() {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : entries_of(data_dir() / "robots")) {
    const std::string name = folder.filename().string();
    if (is_there(folder / (name + ".yaml"))) names.push_back(name);
  }
  return names;
}

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const std::filesystem::path& file : entries_of(data_dir() / "scenarios")) {
    if (file.extension() == ".yaml") names.push_back(file.stem().string());
  }
  return names;
}

void require_file(const std::filesystem::path& file, std::span<const std::string> names) {
  if (is_there(file)) return;
  const std::string what = no_such_file(file);
  if (what != "no such file") throw FileError({file.string()}, what);
  const std::string name = nearest_name(file.stem().string(), names);
  throw FileError(
      {file.string()},
      what + (name.empty() ? "; `aplomb list` shows the names that may be given instead of a file"
                           : fmt::format("; closest is the name '{}' (without a folder and an extension)", name)));
}

std::filesystem::path robot_yaml(std::string_view name) {
  const std::vector<std::string> names = robot_names();
  if (!is_known(names, name)) throw UnknownName("robot", name, "`aplomb list`", names);
  return data_dir() / "robots" / name / (std::string(name) + ".yaml");
}

std::filesystem::path scenario_file(std::string_view name_or_path) {
  std::filesystem::path path(name_or_path);
  if (path.has_parent_path() || path.extension() == ".yaml" || path.extension() == ".yml") return path;
  const std::vector<std::string> names = scenario_names();
  if (is_known(names, name_or_path)) return data_dir() / "scenarios" / (std::string(name_or_path) + ".yaml");
  if (is_there(path)) return path;
  throw UnknownName("scenario", name_or_path, "`aplomb list` (or give a path to a YAML file)", names);
}

}  // namespace aplomb
