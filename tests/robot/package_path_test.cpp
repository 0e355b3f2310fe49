#include "aplomb/robot/package_path.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "aplomb/robot/robot_model.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

/// Two roots with a package each, and a secret beside them.
class Packages : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    for (const char* file : {"first/robots/urdf/a.urdf", "second/hands/b.stl", "secret.txt", "mine/urdf/r.urdf",
                             "mine/urdf/foot.stl", "mine/meshes/foot.stl", "top.stl"}) {
      fs::create_directories((folder_ / file).parent_path());
      std::ofstream(folder_ / file) << "x";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path find(const std::string& uri) const { return find_package_file(uri, roots_); }
  fs::path find_mesh(const std::string& name) const {
    return find_mesh_file(name, folder_ / "mine/urdf/r.urdf", roots_);
  }

  // Tests run side by side, each in a process of its own.
  fs::path folder_ = fs::path(::testing::TempDir()) / (std::string("aplomb_packages_") +
                                                       ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::array<fs::path, 2> roots_ = {folder_ / "first", folder_ / "second"};
};

TEST_F(Packages, AUriNamesAFileInOneOfTheRoots) {
  EXPECT_EQ(find("package://robots/urdf/a.urdf"), folder_ / "first/robots/urdf/a.urdf");
  EXPECT_EQ(find("package://hands/b.stl"), folder_ / "second/hands/b.stl");
  EXPECT_TRUE(is_package_uri("package://robots/urdf/a.urdf"));
  EXPECT_FALSE(is_package_uri("robots/urdf/a.urdf"));
}

TEST_F(Packages, AFileOfARootHasAUriThatFindsItAgain) {
  const fs::path file = folder_ / "second/hands/b.stl";
  EXPECT_EQ(package_uri(file, roots_), "package://hands/b.stl");
  EXPECT_EQ(find(package_uri(file, roots_)), file);
  EXPECT_EQ(package_uri(folder_ / "secret.txt", roots_), "");
  EXPECT_EQ(package_uri(folder_ / "first/a.urdf", roots_), "");  // in a root, but in no package
}

TEST_F(Packages, AUriCannotLeaveItsPackage) {
  for (const char* uri :
       {"package://../secret.txt", "package://robots/../../secret.txt", "package://robots/urdf/../../../secret.txt",
        "package:///etc/passwd", "package://robots//etc/passwd", "package://", "package://robots", "package://robots/",
        "package://./robots/urdf/a.urdf", "package://ro bots/a.urdf", "package://robots;ls/a.urdf"}) {
    EXPECT_TRUE(has(error_of([&] { find(uri); }), "is not a file of a package")) << uri;
  }
}

TEST_F(Packages, WhatIsMissingIsNamed) {
  const std::string no_package = error_of([&] { find("package://feet/a.stl"); });
  EXPECT_TRUE(has(no_package, "needs the package feet, which is not in"));
  EXPECT_TRUE(has(no_package, roots_[1].string()));
  EXPECT_TRUE(has(error_of([&] { find("package://hands/c.stl"); }), "the package hands in"));
  EXPECT_TRUE(has(error_of([&] { find("package://hands/c.stl"); }), "has no file c.stl"));
  EXPECT_TRUE(has(error_of([&] { find("package://robots/urdf"); }), "has no file urdf"));  // a folder is no file
}

TEST_F(Packages, ANameOfAMeshIsLookedForBesideTheUrdfAndOneFolderUp) {
  EXPECT_EQ(find_mesh("foot.stl"), folder_ / "mine/urdf/foot.stl");
  EXPECT_EQ(find_mesh("./foot.stl"), folder_ / "mine/urdf/foot.stl");
  EXPECT_EQ(find_mesh("../meshes/foot.stl"), folder_ / "mine/meshes/foot.stl");
  EXPECT_EQ(find_mesh("package://hands/b.stl"), folder_ / "second/hands/b.stl");
  EXPECT_TRUE(has(error_of([&] { find_mesh("hand.stl"); }), "there is no such file"));
}

TEST_F(Packages, AMeshIsFoundInThePackageThatTheUrdfLiesIn) {
  EXPECT_EQ(find_mesh("package://mine/meshes/foot.stl"), folder_ / "mine/meshes/foot.stl");
}

TEST_F(Packages, ANameOfAMeshLeadsNowhereElse) {
  EXPECT_TRUE(has(error_of([&] { find_mesh("../../top.stl"); }), "more than one folder up"));
  EXPECT_TRUE(has(error_of([&] { find_mesh("a/../../../top.stl"); }), "more than one folder up"));
  EXPECT_TRUE(has(error_of([&] { find_mesh("package://mine/../top.stl"); }), "is not a file of a package"));
  const std::string absolute = (folder_ / "top.stl").string();
  for (const std::string& name : {absolute, "file://" + absolute, std::string("http://host/top.stl"), std::string()}) {
    EXPECT_TRUE(has(error_of([&] { find_mesh(name); }), "is neither package:// nor a name relative")) << name;
  }
}

TEST_F(Packages, AYamlMayNameAUrdfInAPackage) {
  std::ofstream(folder_ / "far.yaml") << "robot: far\nurdf: package://no-such-package/far.urdf\n";
  const RobotDescription description = read_robot_yaml(folder_ / "far.yaml");  // so that `aplomb list` needs no package
  EXPECT_EQ(description.urdf.string(), "package://no-such-package/far.urdf");
  const std::string error = error_of([&] { RobotModel::load((folder_ / "far.yaml").string()); });
  EXPECT_TRUE(has(error, "needs the package no-such-package"));
  EXPECT_TRUE(has(error, "put a folder no-such-package")) << error;
}

}  // namespace
}  // namespace aplomb
