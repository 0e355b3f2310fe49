#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/mesh/surface_mesh.hpp"

namespace aplomb {

// Private to robot/: the readers behind read_mesh_points. Each takes the whole file's bytes and throws FileError;
// `file` is its name in errors.
std::vector<Eigen::Vector3d> read_stl_points(std::string_view bytes, const std::string& file);
std::vector<Eigen::Vector3d> read_obj_points(std::string_view bytes, const std::string& file);
std::vector<Eigen::Vector3d> read_collada_points(std::string_view bytes, const std::string& file, bool obeys_up_axis);

/// The same files with their triangles, behind read_surface.
SurfaceMesh read_obj_surface(std::string_view bytes, const std::string& file);
std::vector<SurfaceMesh> read_collada_surface(std::string_view bytes, const std::string& file);

/// Whether these are the bytes of a binary STL: its header's number of triangles fits the file's size.
bool is_binary_stl(std::string_view first_bytes, std::size_t file_size);

/// Reads a number at the front of `text` and removes it; absent when there is no finite number.
std::optional<double> take_number(std::string_view& text);

}  // namespace aplomb
