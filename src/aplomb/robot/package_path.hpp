#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Whether a name is that of a file in a package, `package://PACKAGE/FOLDER/FILE`.
bool is_package_uri(std::string_view name);

/// The folders in which packages are looked for: `packages/` beside the robots that come with aplomb, and where wheels
/// of the cmeel family put their files in there. In a build folder `packages` is a link to what set-up installed.
std::vector<std::filesystem::path> package_roots();

/// The file that a package URI names, looked for in these roots and nowhere else. Throws InvalidValue when the URI
/// leaves its package, Error when the package is not there (with the command that gets it) or has no such file.
std::filesystem::path find_package_file(std::string_view uri, std::span<const std::filesystem::path> roots);

/// The same in package_roots().
std::filesystem::path find_package_file(std::string_view uri);

/// How a file of one of the roots is named as a package URI; empty for any other file.
std::string package_uri(const std::filesystem::path& file, std::span<const std::filesystem::path> roots);

/// The file that a URDF means by the name of a mesh: `package://` in the roots, or in the folder of the package's name
/// above the URDF; a relative name beside the URDF, at most one folder up. All else (absolute paths, `file://`, more
/// `..`) is refused. Throws Error with the reason.
std::filesystem::path find_mesh_file(std::string_view name, const std::filesystem::path& urdf,
                                     std::span<const std::filesystem::path> roots);

}  // namespace aplomb
