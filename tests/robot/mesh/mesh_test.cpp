#include "aplomb/robot/mesh/mesh.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

// One triangle in four formats.
const std::vector<Eigen::Vector3d> kTriangle = {{0.25, 0, 0}, {0, 0.5, 0}, {0, 0, -1.5}};

std::string binary_stl() {
  std::string bytes(80, ' ');
  const auto add = [&bytes](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  add(std::uint32_t{1});
  for (int i = 0; i < 3; ++i) add(0.0F);  // normal
  for (const Eigen::Vector3d& point : kTriangle) {
    for (int axis = 0; axis < 3; ++axis) add(static_cast<float>(point[axis]));
  }
  add(std::uint16_t{0});
  return bytes;
}

const std::string kTextStl =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0.25 0 0\n vertex 0 5e-1 0\nvertex 0 0 -1.5\nendloop\nendfacet\n"
    "endsolid a\n";
const std::string kObj = "# a comment\nv 0.25 0 0\nvn 0 0 1\nvt 7 7\nv 0 .5 0 1.0\nv\t0 0 -1.5\nf 1 2 3\n";

/// The same triangle, `unit` metres to a unit, behind a node with this pose.
std::string collada(const std::string& numbers, const std::string& pose = "", const std::string& unit = "1",
                    const std::string& up_axis = "Z_UP") {
  return "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><asset><unit meter=\"" + unit + "\"/><up_axis>" + up_axis +
         "</up_axis></asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" "
         "count=\"9\">" +
         numbers +
         "</float_array><technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\"/></technique_common>"
         "</source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices></mesh></geometry>"
         "</library_geometries><library_visual_scenes><visual_scene><node>" +
         pose + "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes></COLLADA>\n";
}
const std::string kNumbers = "0.25 0 0  0 0.5 0\n0 0 -1.5";

class MeshFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  void expect_triangle(const fs::path& file, ColladaUpAxis up_axis = ColladaUpAxis::ignored) const {
    const std::vector<Eigen::Vector3d> points = read_mesh_points(file, up_axis);
    ASSERT_EQ(points.size(), 3u) << file;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT((points[i] - kTriangle[i]).norm(), 1e-12) << file;
    EXPECT_EQ(mesh_problem(file), "") << file;
  }

  fs::path folder_ = fs::path(::testing::TempDir()) / fmt::format("aplomb_meshes_{}", getpid());
};

TEST_F(MeshFile, GivesTheSamePointsInEveryFormat) {
  expect_triangle(write("a.stl", binary_stl()));
  expect_triangle(write("A.STL", binary_stl() + "trailing bytes"));
  expect_triangle(write("b.stl", kTextStl));
  expect_triangle(write("c.obj", kObj));
  expect_triangle(write("d.dae", collada(kNumbers)));
  std::string named_solid = binary_stl();
  std::memcpy(named_solid.data(), "solid", 5);  // some programs write this into the header of a binary file
  expect_triangle(write("e.stl", named_solid));
}

TEST_F(MeshFile, ColladaAppliesUnitAndPoses) {
  expect_triangle(write("a.dae", collada("25 0 0 0 50 0 0 0 -150", "", "0.01")));
  expect_triangle(write("b.dae", collada("0 0 0 -0.25 0.5 0 -0.25 0 -1.5", "<translate>0.25 0 0</translate>")));
  expect_triangle(write("c.dae", collada("0 -0.25 0 0.5 0 0 0 0 -1.5", "<rotate>0 0 1 90</rotate>")));
  expect_triangle(write("d.dae", collada("0.125 0 0 0 0.25 0 0 0 -0.75", "<scale>2 2 2</scale>")));
  expect_triangle(
      write("e.dae", collada("0 -0.25 0 0.5 0 0 0 0 -1.5", "<matrix>0 -1 0 0 1 0 0 0 0 0 1 0 0 0 0 1</matrix>")));
}

TEST_F(MeshFile, ColladaIsTurnedUprightOnlyOnRequest) {
  const fs::path file = write("a.dae", collada(kNumbers, "", "1", "Y_UP"));
  expect_triangle(file);
  expect_triangle(write("b.dae", collada("0.25 0 0 0 0 -0.5 0 -1.5 0", "", "1", "Y_UP")), ColladaUpAxis::obeyed);
  expect_triangle(write("c.dae", collada(kNumbers)), ColladaUpAxis::obeyed);  // z is up already
}

TEST_F(MeshFile, WhatCannotBeReadIsAnErrorAndAProblem) {
  for (const auto& [name, bytes] :
       std::vector<std::pair<std::string, std::string>>{{"empty.stl", ""},
                                                        {"garbage.stl", "no mesh at all"},
                                                        {"short.stl", binary_stl().substr(0, 100)},
                                                        {"empty.obj", ""},
                                                        {"binary.obj", std::string("\0\1\2\3", 4)},
                                                        {"garbage.dae", "no XML"},
                                                        {"cut.dae", collada(kNumbers).substr(0, 400)},
                                                        {"other.dae", "<robot name=\"x\"/>"},
                                                        {"mesh.ply", "ply\n"}}) {
    const fs::path file = write(name, bytes);
    EXPECT_THROW(read_mesh_points(file), FileError) << name;
    EXPECT_NE(mesh_problem(file), "") << name;
  }
  EXPECT_THROW(read_mesh_points(folder_ / "missing.stl"), FileError);
  EXPECT_THROW(read_mesh_points(folder_), FileError);
  EXPECT_THROW(read_mesh_points(write("nan.obj", "v 1 2 nan\n")), FileError);
  EXPECT_THROW(read_mesh_points(write("few.dae", collada("1 2 x"))), FileError);
  EXPECT_THROW(read_mesh_points(write("dtd.dae", "<!DOCTYPE a [<!ENTITY b \"c\">]>" + collada(kNumbers))), FileError);
  std::string huge = binary_stl();
  const std::uint32_t count = 0xFFFFFFFFU;
  std::memcpy(huge.data() + 80, &count, 4);  // four billion triangles in 134 bytes
  EXPECT_THROW(read_mesh_points(write("huge.stl", huge)), FileError);
}

TEST_F(MeshFile, DamagedFilesAreReadOrRefused) {
  std::mt19937 engine(5);
  for (const auto& [name, whole] : std::vector<std::pair<std::string, std::string>>{
           {"a.stl", binary_stl()}, {"b.stl", kTextStl}, {"c.obj", kObj}, {"d.dae", collada(kNumbers)}}) {
    for (int round = 0; round < 100; ++round) {
      std::string bytes = whole;
      for (int i = 0; i < 3; ++i) bytes[engine() % bytes.size()] = static_cast<char>(engine() % 256);
      if (round % 3 == 0) bytes.resize(engine() % bytes.size());
      const fs::path file = write(name, bytes);
      mesh_problem(file);
      try {
        for (const Eigen::Vector3d& point : read_mesh_points(file)) EXPECT_TRUE(point.allFinite());
      } catch (const Error&) {  // refused
      }
    }
  }
}

TEST_F(MeshFile, MissingMeshesAffectTheDisplayOnly) {
  const auto robot_with = [&](const std::string& geometry) {
    const std::string text =
        "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" "
        "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" +
        geometry + "</link></robot>";
    RobotDescription description;
    description.name = "r";
    return RobotModel(parse_urdf(text, folder_ / "r.urdf"), description);
  };
  const auto visual = [](const std::string& name) {
    return "<visual><geometry><mesh filename=\"" + name + "\"/></geometry></visual>";
  };
  write("whole.stl", binary_stl());
  write("broken.stl", "x");
  EXPECT_TRUE(robot_with(visual("whole.stl")).notes().empty());
  const RobotModel robot = robot_with(visual("whole.stl") + visual("missing.stl") + visual("broken.stl") +
                                      visual("missing.stl") + visual("package://nobody/a.stl"));
  EXPECT_EQ(robot.mass(), 2.0);
  ASSERT_EQ(robot.notes().size(), 1u);
  EXPECT_TRUE(has(robot.notes()[0], "3 of 4 mesh files are missing or unreadable"));
  EXPECT_TRUE(has(robot.notes()[0], "the first: 'broken.stl' is not an STL file"));
}

}  // namespace
}  // namespace aplomb
