#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// COLLADA files say which axis is up. Most readers of URDFs ignore that, and most files are made for them; some files
/// are meant to be turned so that z is up.
enum class ColladaUpAxis { ignored, obeyed };

/// The vertices of a mesh file (STL, OBJ or COLLADA by its ending) [m]; a COLLADA file's unit and node poses are
/// applied. Bounded by the file's size, at most 100 MB. Throws FileError.
std::vector<Eigen::Vector3d> read_mesh_points(const std::filesystem::path& file,
                                              ColladaUpAxis up_axis = ColladaUpAxis::ignored);

/// Reason why a mesh file cannot be read, from its beginning, its end and its size; empty when it can.
std::string mesh_problem(const std::filesystem::path& file);

/// One sentence about the meshes of a robot that are missing or unreadable: how many, the first and why. Empty when all
/// can be read. They affect the display only: contacts use simple shapes.
std::string missing_meshes_note(const Urdf& urdf, std::span<const std::filesystem::path> package_roots);

}  // namespace aplomb
