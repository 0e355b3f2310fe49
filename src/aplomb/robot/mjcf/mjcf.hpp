#pragma once

#include <filesystem>
#include <string_view>

#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// Whether the root element of an XML text is MJCF's. An unreadable text is not.
bool is_mjcf(std::string_view text);

/// Reads a robot from MJCF (MuJoCo's format) as untrusted input. A pre-check of our own bounds the text (the limits of
/// a URDF, for all included files together), merges the files that it includes, refuses every path that leaves the
/// file's folder, and takes out what has no meaning for a robot's dynamics (looks, sensors, key frames). MuJoCo then
/// compiles the rest, and the robot is read from the compiled model, as links and joints of a URDF:
///   one link a body, in MuJoCo's order; a body with several joints becomes a row of massless links above it;
///   a joint's zero is MuJoCo's (`ref` included), its axis is in the joint's frame, which is parallel to the body's;
///   an actuator's force range is the joint's effort limit; armature is the joint's own.
/// Throws FileError, which names the element, on what this model cannot express: tendons, ball joints, loops, more than
/// one free body, composites, plugins, gravity compensation.
Urdf read_mjcf(const std::filesystem::path& file);

}  // namespace aplomb
