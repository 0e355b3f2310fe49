#include "aplomb/core/files/data_dir.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace aplomb
