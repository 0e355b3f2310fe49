#include "aplomb/scenario/setup/load_robots.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

RisePlanner robots;

std::shared_ptr<const RobotModel> plant_of(const Scenario& scenario) { return load_plant(scenario, robots); }

std::shared_ptr<const RobotModel> believed_of(const Scenario& scenario) {
  return load_believed(scenario, *plant_of(scenario), robots);
}

Scenario scenario(const std::string& robot, const std::string& more = "") {
  return parse_scenario("scenario: s\nrobot: " + robot + "\nduration_s: 1\n" + more + "\n", "s.yaml");
}

TEST(LoadRobots, ANameThatNobodyKnowsIsAnErrorAtItsPlaceWithTheNearest) {
  EXPECT_TRUE(has(error_of([] { plant_of(scenario("comann")); }),
                  "s.yaml:2:8: robot: no robot named 'comann'; closest is 'coman'"));
  const Scenario model = scenario("coman", "robot_model: hop3");
  EXPECT_TRUE(has(error_of([&] { believed_of(model); }),
                  "s.yaml:4:14: robot_model: no robot named 'hop3'; closest is 'hoap3'"));
}

TEST(LoadRobots, AModelOfAnotherRobotIsRefused) {
  const Scenario other = scenario("coman", "robot_model: hoap3");
  EXPECT_TRUE(has(error_of([&] { believed_of(other); }),
                  "s.yaml:4:14: robot_model: hoap3 has other joints than coman (28 and 23; joint 0 is 'RLEG_J1' and"));
  const Scenario same = scenario("sarcos_real", "robot_model: sarcos");
  EXPECT_EQ(believed_of(same)->name(), "sarcos");
}

TEST(LoadRobots, AModelWithoutAYamlHasTheRolesSolesAndPosturesOfTheRobot) {
  const test::TemporaryFolder folder;
  const std::filesystem::path urdf = folder.path() / "identified.urdf";
  std::filesystem::copy_file(RobotModel::load("coman").urdf().file, urdf);
  const Scenario identified = scenario("coman", "robot_model: " + urdf.string());
  const std::shared_ptr<const RobotModel> plant = plant_of(identified), believed = believed_of(identified);
  EXPECT_EQ(believed->urdf().file, urdf);
  EXPECT_EQ(believed->description().roles.trunk, plant->description().roles.trunk);
  EXPECT_TRUE(believed->description().soles[kLeft].has_value());
  EXPECT_EQ(believed->description().postures.size(), plant->description().postures.size());
}

TEST(LoadRobots, AFrameOfTheRobotsYamlStandsForItsLinkInThePlant) {
  const test::TemporaryFolder folder;
  const RobotModel coman = RobotModel::load("coman");
  std::filesystem::copy_file(coman.urdf().file, folder.path() / "mine.urdf");
  const std::string foot = coman.description().roles.foot[kLeft];
  std::ofstream(folder.path() / "mine.yaml")
      << "robot: mine\nroles: {left_foot: left_sole}\nframes: {left_sole: {link: " << foot
      << ", position_m: [0.01, 0, -0.02]}}\nsoles: {left: {x_m: [-0.1, 0.1], y_m: [-0.05, 0.05], z_m: 0}}\n"
      << "postures: {half_sitting: {}}\n";
  const std::string robot = (folder.path() / "mine.yaml").string();
  const double mass = coman.urdf().link(foot).inertia.mass;
  const auto heavier = plant_of(scenario(robot, "plant: {link_mass_scale: {left_foot: 1.5}}"));
  EXPECT_NEAR(heavier->mass(), coman.mass() + 0.5 * mass, 1e-9);
  EXPECT_NO_THROW(heavier->frame("left_sole"));
  const auto scaled = plant_of(scenario(robot, "plant: {mass_scale: 2, link_mass_scale: {left_sole: 2}}"));
  EXPECT_NEAR(scaled->mass(), 2.0 * (coman.mass() + mass), 1e-9);
}

}  // namespace
}  // namespace aplomb
