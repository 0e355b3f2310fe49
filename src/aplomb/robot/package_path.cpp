#include "aplomb/robot/package_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScheme = "package://";
constexpr std::string_view kExampleRobots = "example-robot-data";
constexpr std::string_view kExampleRobotsVersion = "5.0.0";  // as in requirements/run.txt

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool climbs(const fs::path& path) { return std::ranges::find(path, "..") != path.end(); }

bool is_package_name(std::string_view name) {
  const auto is_valid = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name != "." && name != ".." && std::ranges::all_of(name, is_valid);
}

struct PackageFile {
  std::string package;
  fs::path file;  ///< relative to the package's folder
};

PackageFile split(std::string_view uri) {
  const std::string_view rest = uri.substr(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  PackageFile parts{std::string(rest.substr(0, slash)), fs::path(rest.substr(std::min(slash + 1, rest.size())))};
  if (!is_package_name(parts.package) || parts.file.empty() || parts.file.is_absolute() || climbs(parts.file)) {
    throw InvalidValue(fmt::format("'{}' is not a file of a package; write package://PACKAGE/FOLDER/FILE, without '..'",
                                   shortened(uri, 120)));
  }
  return parts;
}

/// Advice on how to get a missing package.
std::string remedy(const std::string& package) {
  if (package != kExampleRobots) {
    return fmt::format("put a folder {} with that file into one of these, or the URDF inside of such a folder",
                       package);
  }
  const fs::path folder = data_dir() / "packages";
  std::error_code error;
  if (fs::is_symlink(folder, error)) return "`make setup` installs what aplomb needs";
  return fmt::format("get it with `python3 -m pip install --no-deps --target {} {}=={}`", folder.string(), package,
                     kExampleRobotsVersion);
}

std::optional<fs::path> find_in(std::span<const fs::path> roots, const PackageFile& wanted) {
  for (const fs::path& root : roots) {
    if (fs::path file = root / wanted.package / wanted.file; is_file(file)) return file;
  }
  return std::nullopt;
}

/// Searches the folders above the URDF, which is usually in the same package as its meshes.
std::optional<fs::path> find_above(const fs::path& urdf, const PackageFile& wanted) {
  std::error_code error;
  const fs::path folders = fs::absolute(urdf, error).lexically_normal().parent_path();
  for (fs::path folder = folders; folder.has_relative_path(); folder = folder.parent_path()) {
    if (folder.filename() != wanted.package) continue;
    if (fs::path file = folder / wanted.file; is_file(file)) return file;
  }
  return std::nullopt;
}

}  // namespace

bool is_package_uri(std::string_view name) { return name.starts_with(kScheme); }

std::vector<fs::path> package_roots() {
  const fs::path packages = data_dir() / "packages";
  // The Python wheel's data folder is SITE_PACKAGES/aplomb/share/aplomb: packages of others are beside `aplomb`.
  const fs::path site_packages = (data_dir() / "../../..").lexically_normal();
  return {packages / "cmeel.prefix" / "share", packages, site_packages / "cmeel.prefix" / "share"};
}

fs::path find_package_file(std::string_view uri, std::span<const fs::path> roots) {
  const PackageFile wanted = split(uri);
  if (const std::optional<fs::path> file = find_in(roots, wanted)) return *file;
  std::string places;
  for (const fs::path& root : roots) {
    const fs::path package = root / wanted.package;
    if (is_folder(package)) {
      throw Error(
          fmt::format("the package {} in {} has no file {}", wanted.package, root.string(), wanted.file.string()));
    }
    places += (places.empty() ? "" : ", ") + root.string();
  }
  throw Error(fmt::format("{} needs the package {}, which is not in {}; {}", uri, wanted.package, places,
                          remedy(wanted.package)));
}

fs::path find_package_file(std::string_view uri) { return find_package_file(uri, package_roots()); }

std::string package_uri(const fs::path& file, std::span<const fs::path> roots) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(file, error);
  for (const fs::path& root : roots) {
    const fs::path inside = whole.lexically_relative(fs::weakly_canonical(root, error));
    const bool has_package = std::distance(inside.begin(), inside.end()) > 1;
    if (has_package && !climbs(inside) && is_package_name(inside.begin()->string())) {
      return std::string(kScheme) + inside.generic_string();
    }
  }
  return {};
}

fs::path find_mesh_file(std::string_view name, const fs::path& urdf, std::span<const fs::path> roots) {
  if (is_package_uri(name)) {
    if (const std::optional<fs::path> file = find_above(urdf, split(name))) return *file;
    return find_package_file(name, roots);
  }
  if (name.find("://") != std::string_view::npos || fs::path(name).is_absolute() || name.empty()) {
    throw InvalidValue(fmt::format("'{}' is neither package:// nor a name relative to the URDF", shortened(name, 120)));
  }
  std::error_code error;
  const fs::path folder = fs::absolute(urdf, error).lexically_normal().parent_path();
  const fs::path file = (folder / name).lexically_normal();
  if (climbs(file.lexically_relative(folder.parent_path()))) {
    throw InvalidValue(fmt::format("'{}' leads more than one folder up from the URDF", shortened(name, 120)));
  }
  if (!is_file(file)) throw FileError({file.string()}, "there is no such file");
  return file;
}

}  // namespace aplomb
