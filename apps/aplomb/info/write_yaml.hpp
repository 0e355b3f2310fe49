#pragma once

#include <filesystem>
#include <string>

namespace aplomb {

/// `aplomb info ROBOT --write-yaml FILE`: guesses a description of the robot from its URDF, writes it, and says what
/// was guessed. Throws FileError when the file is there already; it appears whole or not at all.
int write_yaml_command(const std::string& robot, const std::filesystem::path& file, bool json);

}  // namespace aplomb
