#include "aplomb/robot/mesh/surface_mesh.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/mesh/mesh_formats.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMaxMeshBytes = 100'000'000;

/// Every three points are a triangle, as in STL.
SurfaceMesh from_corners(std::vector<Eigen::Vector3d> corners) {
  SurfaceMesh mesh{.points = std::move(corners)};
  for (std::uint32_t i = 0; i + 2 < mesh.points.size(); i += 3) mesh.triangles.push_back({i, i + 1, i + 2});
  return mesh;
}

/// The cell of a point, as one number: 21 bits an axis.
std::uint64_t cell_of(const Eigen::Vector3d& point, double cell) {
  std::uint64_t key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double place = std::clamp(std::floor(point[axis] / cell), -1048576.0, 1048575.0);
    key = key << 21 | static_cast<std::uint64_t>(static_cast<std::int64_t>(place) + 1048576);
  }
  return key;
}

/// What a cell gathers of the vertices and triangles in it.
struct Cluster {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double count = 0.0;
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();  ///< Σ area² n nᵀ
  Eigen::Vector3d b = Eigen::Vector3d::Zero();  ///< Σ area² n (nᵀ p)

  Eigen::Vector3d place(double cell) const {
    constexpr double kPull = 1e-2;  // of the quadric's size: decides only along directions that no triangle fixes
    const Eigen::Vector3d mean = sum / count;
    const double pull = kPull * A.trace();
    if (!(pull > 0.0)) return mean;
    const Eigen::Matrix3d H = A + pull * Eigen::Matrix3d::Identity();
    const Eigen::Vector3d best = H.ldlt().solve(b + pull * mean);
    return mean + (best - mean).cwiseMax(-cell).cwiseMin(cell);
  }
};

}  // namespace

std::vector<SurfaceMesh> read_surface(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string name = file.string();
  if (ending != ".stl" && ending != ".obj" && ending != ".dae") {
    throw FileError({name}, "is not a supported mesh format; valid: .stl, .obj, .dae");
  }
  const std::string bytes = read_file(file, kMaxMeshBytes);
  if (ending == ".obj") return {read_obj_surface(bytes, name)};
  if (ending == ".dae") return read_collada_surface(bytes, name);
  return {from_corners(read_stl_points(bytes, name))};
}

SurfaceMesh clustered(const SurfaceMesh& mesh, double cell) {
  std::unordered_map<std::uint64_t, std::uint32_t> cells;
  std::vector<Cluster> clusters;
  std::vector<std::uint32_t> cluster_of(mesh.points.size());
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const auto [place, is_new] =
        cells.emplace(cell_of(mesh.points[i], cell), static_cast<std::uint32_t>(clusters.size()));
    if (is_new) clusters.emplace_back();
    cluster_of[i] = place->second;
    clusters[place->second].sum += mesh.points[i];
    clusters[place->second].count += 1.0;
  }
  SurfaceMesh smaller{.colour = mesh.colour};
  for (const auto& triangle : mesh.triangles) {
    const Eigen::Vector3d& p = mesh.points[triangle[0]];
    const Eigen::Vector3d normal = (mesh.points[triangle[1]] - p).cross(mesh.points[triangle[2]] - p);  // 2 area n
    const std::array<std::uint32_t, 3> corners{cluster_of[triangle[0]], cluster_of[triangle[1]],
                                               cluster_of[triangle[2]]};
    const Eigen::Matrix3d A = normal * normal.transpose();
    const Eigen::Vector3d b = normal * normal.dot(p);
    for (const std::uint32_t corner : corners) {
      clusters[corner].A += A;
      clusters[corner].b += b;
    }
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    smaller.triangles.push_back(corners);
  }
  // Only the clusters that triangles use.
  constexpr std::uint32_t kUnused = 0xffffffff;
  std::vector<std::uint32_t> number(clusters.size(), kUnused);
  for (auto& triangle : smaller.triangles) {
    for (std::uint32_t& corner : triangle) {
      if (number[corner] == kUnused) {
        number[corner] = static_cast<std::uint32_t>(smaller.points.size());
        smaller.points.push_back(clusters[corner].place(cell));
      }
      corner = number[corner];
    }
  }
  return smaller;
}

}  // namespace aplomb
