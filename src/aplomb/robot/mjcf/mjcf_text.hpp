#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace aplomb {

/// An MJCF text that is safe to compile: one document without includes, of bounded size, that names no file but meshes
/// inside the robot's folder, each by its absolute path.
struct MjcfText {
  std::string name;  ///< of the model; empty when the file gives none
  std::string xml;
  std::map<std::string, int> line_of_body, line_of_joint;  ///< of elements with a name in the main file
  std::map<std::string, std::string> mesh_files;           ///< absolute path -> path relative to the main file
};

/// The pre-check: see read_mjcf. Throws FileError with file and line.
MjcfText check_mjcf(const std::filesystem::path& file);

}  // namespace aplomb
