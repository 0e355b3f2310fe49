#pragma once

#include <string>
#include <vector>

#include "aplomb/robot/urdf/urdf.hpp"
#include "aplomb/robot/urdf/urdf_xml.hpp"

namespace aplomb {

/// The parts of parse_urdf. Each reads one element; what is ignored or assumed is added to `notes`.
UrdfLink read_link(const UrdfElement& element, std::vector<std::string>& notes);
UrdfJoint read_joint(const UrdfElement& element);

/// The shapes of a link's <visual> or <collision>; an unknown kind of shape is left out, with a note.
std::vector<Shape> read_shapes(const UrdfElement& link, const char* tag, std::vector<std::string>& notes);

}  // namespace aplomb
