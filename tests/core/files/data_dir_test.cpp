#include "aplomb/core/files/data_dir.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

TEST(DataDir, IsFoundFromAnyCurrentFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  EXPECT_TRUE(std::filesystem::is_directory(data_dir() / "robots"));
  EXPECT_TRUE(std::filesystem::is_directory(data_dir() / "scenarios"));
  std::filesystem::current_path(before);
}

TEST(DataDir, HoldsTheRobotsOfTheSourceTree) {
  const std::vector<std::string> names = robot_names();
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const std::string& name : names) {
    const std::filesystem::path in_source =
        std::filesystem::path(APLOMB_SOURCE_DIR) / "robots" / name / (name + ".yaml");
    EXPECT_TRUE(std::filesystem::equivalent(robot_yaml(name), in_source)) << name;
  }
  EXPECT_TRUE(has(error_of([] { robot_yaml("no_such_robot"); }), "no robot named 'no_such_robot'"));
  EXPECT_THROW(robot_yaml("../robots"), UnknownName);
  EXPECT_THROW(robot_yaml(""), UnknownName);
}

TEST(ScenarioFile, IsANameOrAPath) {
  const std::vector<std::string> names = scenario_names();
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const std::string& name : names) {
    EXPECT_EQ(scenario_file(name), data_dir() / "scenarios" / (name + ".yaml"));
  }
  EXPECT_EQ(scenario_file("mine.yaml"), "mine.yaml");
  EXPECT_EQ(scenario_file("folder/mine"), "folder/mine");
  EXPECT_EQ(scenario_file("/"), "/");
  EXPECT_TRUE(has(error_of([] { scenario_file("no_such_scenario"); }), "no scenario named 'no_such_scenario'"));
  EXPECT_TRUE(has(error_of([] { scenario_file("no_such_scenario"); }), "a path to a YAML file"));
}

TEST(DataDir, AMissingFileIsAnsweredWithTheNearestName) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "my_robot.urdf") << "<robot/>";
  const std::vector<std::string> names{"coman", "sarcos"};
  const auto error = [&](const char* file) { return error_of([&] { require_file(folder.path() / file, names); }); };
  EXPECT_TRUE(has(error("my_robt.urdf"), "my_robt.urdf: no such file; closest is 'my_robot.urdf' beside it"));
  EXPECT_TRUE(has(error("comann.urdf"), "no such file; closest is the name 'coman'"));
  EXPECT_TRUE(has(error("nothing_like_it.urdf"), "no such file; `aplomb list` shows the names"));
  EXPECT_TRUE(has(error("nowhere/coman.urdf"), "no such file: there is no folder '"));
  EXPECT_NO_THROW(require_file(folder.path() / "my_robot.urdf", names));
}

TEST(NearestName, IsGivenWhenTwoLettersOfThreeAgree) {
  const std::vector<std::string> verbs{"bench", "run", "retarget", "view"};
  EXPECT_EQ(nearest_name("rnu", verbs), "run");
  EXPECT_EQ(nearest_name("retargt", verbs), "retarget");
  EXPECT_EQ(nearest_name("vew", verbs), "view");
  EXPECT_EQ(nearest_name("search", verbs), "");
  EXPECT_EQ(nearest_name("mend", verbs), "");
}

}  // namespace
}  // namespace aplomb
