#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aplomb {

/// Red, green and blue, 0 to 1.
using Colour = std::array<double, 3>;

/// Triangles of one colour of a mesh file [m].
struct SurfaceMesh {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices of `points`, counter-clockwise from outside
  std::optional<Colour> colour;                         ///< absent: the file says none
};

/// Reads the triangles of a mesh file (STL, OBJ or COLLADA, by its extension), as read_mesh_points reads its vertices.
/// Polygons are cut into triangles; points and lines are left out. Colours are those of COLLADA materials. Throws
/// FileError.
std::vector<SurfaceMesh> read_surface(const std::filesystem::path& file);

/// A surface of fewer triangles: the vertices in each cell of a grid become one, at the place with the least sum of
/// squared distances to the planes of the triangles there, weighted by area (Lindstrom 2000: quadrics on a grid; here
/// pulled weakly towards the vertices' mean, so that a flat region is well defined, and kept inside the cell's
/// neighbourhood). Triangles whose corners fall together vanish; a closed surface stays closed. `cell` is the grid's
/// spacing [m].
SurfaceMesh clustered(const SurfaceMesh& mesh, double cell);

/// Colours of the visuals of every link of a URDF, in their order: those of <material>, inline or by name. Links
/// without any are left out. A file that is no URDF (an MJCF) has none.
std::map<std::string, std::vector<std::optional<Colour>>> visual_colours(const std::filesystem::path& urdf);

}  // namespace aplomb
