#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// The folder that holds `robots/` and `scenarios/`. It is found relative to this library, LIBDIR/../share/aplomb,
/// so that a build folder and an installed copy both work without any setting. Throws FileError.
std::filesystem::path data_dir();

std::vector<std::string> robot_names();     ///< the folders of `robots/` that hold NAME/NAME.yaml, sorted
std::vector<std::string> scenario_names();  ///< the YAML files of `scenarios/`, sorted, without `.yaml`

std::filesystem::path robot_yaml(std::string_view name);  ///< robots/NAME/NAME.yaml; throws UnknownName

/// Throws FileError when there is no such file, with the most similar name: of a file beside it with the same
/// extension, or one of `names`, which may be given instead of a path.
void require_file(const std::filesystem::path& file, std::span<const std::string> names);

/// A scenario's file: `name_or_path` is one of `scenario_names()`, or else a path to a YAML file. A name with a folder
/// or ending in .yaml or .yml is taken as a path, whether it exists or not. Throws UnknownName.
std::filesystem::path scenario_file(std::string_view name_or_path);

}  // namespace aplomb
