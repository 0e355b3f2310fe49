#pragma once

#include <filesystem>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// Writes contacts.yaml: the robot and its URDF's checksum, the chair, and the time interval of each contact.
void write_contacts(const MotionPlan& plan, const std::filesystem::path& file);  ///< throws FileError
/// Reads the robot, its checksum and the contacts into `plan`. Throws FileError with line and column.
void read_contacts(const std::filesystem::path& file, MotionPlan& plan);

}  // namespace aplomb
