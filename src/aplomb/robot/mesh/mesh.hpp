#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "aplomb/robot/mesh/surface_mesh.hpp"  // the triangles of mesh files
#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// Treatment of the up axis that a COLLADA file declares. Most URDF readers ignore it, and most files rely on that;
/// others must be rotated so that z is up.
enum class ColladaUpAxis { ignored, obeyed };

/// Reads the vertices of a mesh file (STL, OBJ or COLLADA, by its extension) [m]; a COLLADA file's unit and node poses
/// are applied. Files above 100 MB are refused. Throws FileError.
std::vector<Eigen::Vector3d> read_mesh_points(const std::filesystem::path& file,
                                              ColladaUpAxis up_axis = ColladaUpAxis::ignored);

/// Reason why a mesh file cannot be read, judged from its first and last bytes and its size; empty when it can.
std::string mesh_problem(const std::filesystem::path& file);

/// One sentence about the meshes of a robot that are missing or unreadable: their number, the first one and the reason.
/// Empty when all can be read. They affect the display only: contacts use simple shapes.
std::string missing_meshes_note(const Urdf& urdf, std::span<const std::filesystem::path> package_roots);

}  // namespace aplomb
