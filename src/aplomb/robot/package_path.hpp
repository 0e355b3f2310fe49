#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Whether a name is that of a file in a package, `package://PACKAGE/FOLDER/FILE`.
bool is_package_uri(std::string_view name);

/// The folders in which packages are looked for: `packages/` beside the robots that come with aplomb, and the folder in
/// it where cmeel wheels install their files. In a build folder `packages` links to the packages of `make setup`.
std::vector<std::filesystem::path> package_roots();

/// The file that a package URI names, looked for in these roots and nowhere else. Throws InvalidValue when the URI
/// leaves its package, Error when the package is missing (with the command that installs it) or has no such file.
std::filesystem::path find_package_file(std::string_view uri, std::span<const std::filesystem::path> roots);

/// The same with package_roots().
std::filesystem::path find_package_file(std::string_view uri);

/// Package URI of a file below one of the roots; empty for any other file.
std::string package_uri(const std::filesystem::path& file, std::span<const std::filesystem::path> roots);

/// Finds the mesh file that a URDF names. `package://`: in the roots, or in the folder above the URDF that has the
/// package's name. Relative path: from the URDF's folder, at most one folder up. All else (absolute paths, `file://`,
/// more `..`) is refused. Throws Error with the reason.
std::filesystem::path find_mesh_file(std::string_view name, const std::filesystem::path& urdf,
                                     std::span<const std::filesystem::path> roots);

}  // namespace aplomb
