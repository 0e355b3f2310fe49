#pragma once

#include <filesystem>
#include <string_view>

#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// Whether a robot is given by a file (.urdf, .xml, .mjcf, .yaml, or any path with a folder), not by a name.
bool is_robot_path(std::string_view name_or_path);

/// Reads a URDF or an MJCF, whichever the root element says: read_urdf, read_mjcf.
Urdf read_robot_file(const std::filesystem::path& file);

}  // namespace aplomb
