#pragma once

#include <filesystem>
#include <string>

namespace aplomb {

/// `aplomb info ROBOT --write-yaml FILE`: guesses a description of the robot from its URDF, writes it, and lists the
/// guesses. Throws FileError when the file exists; it is written completely or not at all.
int write_yaml_command(const std::string& robot, const std::filesystem::path& file, bool json);

}  // namespace aplomb
