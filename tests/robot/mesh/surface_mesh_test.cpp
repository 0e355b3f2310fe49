#include "aplomb/robot/mesh/surface_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <string>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

// Off the borders of cells, so that the vertices of a pole, equal but for rounding, are in one cell.
const Eigen::Vector3d kCentre(0.0031, 0.0017, 0.0007);

/// A sphere of `rings` times twice as many patches.
SurfaceMesh sphere(double radius, std::uint32_t rings) {
  SurfaceMesh mesh;
  const std::uint32_t columns = 2 * rings;
  for (std::uint32_t i = 0; i <= rings; ++i) {
    for (std::uint32_t k = 0; k < columns; ++k) {
      const double polar = std::numbers::pi * i / rings, azimuth = 2.0 * std::numbers::pi * k / columns;
      mesh.points.emplace_back(kCentre + radius * Eigen::Vector3d(std::sin(polar) * std::cos(azimuth),
                                                                  std::sin(polar) * std::sin(azimuth),
                                                                  std::cos(polar)));
    }
  }
  for (std::uint32_t i = 0; i < rings; ++i) {
    for (std::uint32_t k = 0; k < columns; ++k) {
      const std::uint32_t a = i * columns + k, b = i * columns + (k + 1) % columns;
      mesh.triangles.push_back({a, a + columns, b});
      mesh.triangles.push_back({b, a + columns, b + columns});
    }
  }
  return mesh;
}

/// Volume inside a closed surface; negative when it is inside out.
double volume(const SurfaceMesh& mesh) {
  double six = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) six += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c]));
  return six / 6.0;
}

/// Whether each edge is shared by two triangles that run along it in opposite directions.
bool is_closed(const SurfaceMesh& mesh) {
  std::map<std::array<std::uint32_t, 2>, int> edges;
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = triangle[i], to = triangle[(i + 1) % 3];
      edges[{std::min(from, to), std::max(from, to)}] += from < to ? 1 : -1;
    }
  }
  return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 0; });
}

TEST(SurfaceMesh, ClusteringKeepsPlaceVolumeAndSidesOfASphere) {
  constexpr double kRadius = 0.1;
  const SurfaceMesh fine = sphere(kRadius, 120);
  const double exact = 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3);
  ASSERT_NEAR(volume(fine), exact, 1e-3 * exact);
  for (const double cell : {0.01, 0.02}) {
    const SurfaceMesh coarse = clustered(fine, cell);
    EXPECT_LT(coarse.triangles.size(), fine.triangles.size() / 5);
    EXPECT_TRUE(is_closed(coarse));
    // Points stay on the sphere: chords of a cell's length are within cell²/8r of it.
    for (const Eigen::Vector3d& point : coarse.points)
      EXPECT_NEAR((point - kCentre).norm(), kRadius, cell * cell / (4.0 * kRadius));
    EXPECT_NEAR(volume(coarse), exact, 0.04 * exact);
  }
}

TEST(SurfaceMesh, ClusteringKeepsTheEdgesOfABox) {
  // A box of 40 x 40 patches a side; its corners are where three planes meet, whatever the grid.
  SurfaceMesh box;
  constexpr std::uint32_t kPatches = 40;
  const Eigen::Vector3d size(0.2, 0.3, 0.1), origin(0.013, -0.021, 0.007);
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {0.0, 1.0}) {
      const int u = side > 0.0 ? (axis + 1) % 3 : (axis + 2) % 3, v = side > 0.0 ? (axis + 2) % 3 : (axis + 1) % 3;
      const auto first = static_cast<std::uint32_t>(box.points.size());
      for (std::uint32_t i = 0; i <= kPatches; ++i) {
        for (std::uint32_t k = 0; k <= kPatches; ++k) {
          Eigen::Vector3d point = Eigen::Vector3d::Zero();
          point[axis] = side;
          point[u] = static_cast<double>(i) / kPatches;
          point[v] = static_cast<double>(k) / kPatches;
          box.points.emplace_back(origin + point.cwiseProduct(size));
        }
      }
      for (std::uint32_t i = 0; i < kPatches; ++i) {
        for (std::uint32_t k = 0; k < kPatches; ++k) {
          const std::uint32_t a = first + i * (kPatches + 1) + k, b = a + kPatches + 1;
          box.triangles.push_back({a, b, a + 1});
          box.triangles.push_back({a + 1, b, b + 1});
        }
      }
    }
  }
  ASSERT_NEAR(volume(box), size.prod(), 1e-9);
  const SurfaceMesh coarse = clustered(box, 0.025);
  EXPECT_LT(coarse.triangles.size(), box.triangles.size() / 5);
  for (const double x : {0.0, 1.0}) {
    for (const double y : {0.0, 1.0}) {
      for (const double z : {0.0, 1.0}) {
        const Eigen::Vector3d corner = origin + Eigen::Vector3d(x, y, z).cwiseProduct(size);
        double nearest = 1.0;
        for (const Eigen::Vector3d& point : coarse.points) nearest = std::min(nearest, (point - corner).norm());
        EXPECT_LT(nearest, 1e-3);  // the mean of the vertices there would be 5 to 10 mm inside
      }
    }
  }
}

TEST(SurfaceMesh, ReadsPolygonsAndColoursOfFiles) {
  const test::TemporaryFolder folder;
  const fs::path obj = folder.path() / "a.obj", dae = folder.path() / "a.dae";
  std::ofstream(obj) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2/2 3//3 4\nf -4 -3 -2\n";
  const std::vector<SurfaceMesh> square = read_surface(obj);
  ASSERT_EQ(square.size(), 1u);
  EXPECT_EQ(square[0].triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
  const auto collada = [](const std::string& numbers) {
    return "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><asset><unit meter=\"0.001\"/></asset>"
           "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>1 0.5 0 1"
           "</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials>"
           "<material id=\"m\"><instance_effect "
           "url=\"#e\"/></material></library_materials><library_geometries><geometry "
           "id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 1000 0 0 1000 1000 0 0 1000 0"
           "</float_array></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><polylist "
           "material=\"red\" count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><input "
           "semantic=\"NORMAL\" "
           "source=\"#n\" offset=\"1\"/><vcount>4</vcount><p>" +
           numbers +
           "</p></polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node>"
           "<translate>0 0 500</translate><instance_geometry url=\"#g\"><bind_material><technique_common>"
           "<instance_material symbol=\"red\" target=\"#m\"/></technique_common></bind_material></instance_geometry>"
           "</node></visual_scene></library_visual_scenes></COLLADA>\n";
  };
  std::ofstream(dae) << collada("0 0 1 0 2 0 3 0");
  const std::vector<SurfaceMesh> placed = read_surface(dae);
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(placed[0].points[2].isApprox(Eigen::Vector3d(1.0, 1.0, 0.5)));
  EXPECT_EQ(placed[0].colour, (Colour{1.0, 0.5, 0.0}));
  std::ofstream(dae) << collada("0 0 1 0 7 0 3 0");
  EXPECT_THROW(read_surface(dae), FileError) << "a vertex that is not there";
  std::ofstream(obj) << "v 0 0 0\nf 1 2 3\n";
  EXPECT_THROW(read_surface(obj), FileError);
}

TEST(SurfaceMesh, AUrdfGivesItsVisualsColoursInlineAndByName) {
  const test::TemporaryFolder folder;
  const fs::path urdf = folder.path() / "a.urdf";
  const auto visual = [](const std::string& material) {
    return "<visual><geometry><sphere radius=\"1\"/></geometry>" + material + "</visual>";
  };
  std::ofstream(urdf)
      << "<robot name=\"a\"><link name=\"x\">" << visual("<material name=\"late\"/>") << visual("")
      << visual("<material name=\"own\"><color rgba=\"0 1 2 1\"/></material>")
      << "</link><link name=\"y\"/><material name=\"late\"><color rgba=\"0.25 0.5 0.75 1\"/></material></robot>";
  const auto colours = visual_colours(urdf);
  ASSERT_EQ(colours.size(), 1u);
  EXPECT_EQ(colours.at("x")[0], (Colour{0.25, 0.5, 0.75}));
  EXPECT_EQ(colours.at("x")[1], std::nullopt);
  EXPECT_EQ(colours.at("x")[2], (Colour{0.0, 1.0, 1.0}));
}

}  // namespace
}  // namespace aplomb
