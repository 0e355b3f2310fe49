#pragma once

#include <filesystem>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// contacts.yaml: the robot and its URDF's checksum, the chair, and which contact acts from when to when.
void write_contacts(const MotionPlan& plan, const std::filesystem::path& file);  ///< throws FileError
/// Fills in the robot, its checksum and the contacts. Throws FileError with line and column.
void read_contacts(const std::filesystem::path& file, MotionPlan& plan);

}  // namespace aplomb
