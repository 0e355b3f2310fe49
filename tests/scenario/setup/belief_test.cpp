// `--set world.…` changes the world and never what the controller believes of it, lists of other lengths included.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {
namespace {

std::vector<std::string> faults_of(const char* scenario, std::vector<Override> overrides) {
  overrides.push_back({"duration_s", "0.05"});
  overrides.push_back({"controller.failsafe", "false"});  // names what a robot that begins within a wall reads
  std::vector<std::string> names;
  for (const Fault& fault : run_scenario(load_scenario(scenario, overrides)).result.faults) names.push_back(fault.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Belief, AWallThatAnOptionAddsIsUnknownToTheController) {
  const Override wall{"world.walls", "[{touches: right_hand, normal: [0, 1, 0]}]"};
  EXPECT_EQ(faults_of("stand_coman", {wall}), Names{"wall_0_unknown"});
  const Scenario scenario = load_scenario("stand_coman", {&wall, 1});
  EXPECT_EQ(scenario.world.walls.size(), 1u);
  EXPECT_TRUE(scenario.believed_world.walls.empty());
}

TEST(Belief, AWallThatAnOptionRemovesIsStillBelievedIn) {
  EXPECT_EQ(faults_of("coman_wall", {{"world.walls", "[]"}}), Names{"wall_0_missing"});
}

TEST(Belief, WallsAreComparedItemByItem) {
  const std::string two =
      "[{touches: right_hand, normal: [0, 1, 0], distance_m: 0.01}, {position_m: [9, 0, 0], normal: [-1, 0, 0]}]";
  EXPECT_EQ(faults_of("coman_wall", {{"world.walls", two}}), (Names{"wall_0_misplaced", "wall_1_unknown"}));
  EXPECT_EQ(faults_of("coman_wall", {{"world.walls.0.touches", "left_hand"}}), Names{"wall_0_misplaced"});
}

TEST(Belief, SupportsBoxesAndAChairThatAnOptionAddsAreInTheWorldAlone) {
  const std::vector<Override> overrides{{"world.supports", "[{foot: left, friction: 0.3}]"},
                                        {"world.boxes", "[{position_m: [5, 0, 0], size_m: [1, 1, 1]}]"},
                                        {"world.chair.height_m", "0.1"}};
  const Scenario scenario = load_scenario("balance_push_forward", overrides);
  EXPECT_TRUE(scenario.believed_world.supports.empty());
  EXPECT_TRUE(scenario.believed_world.boxes.empty());
  EXPECT_FALSE(scenario.believed_world.chair);
  EXPECT_EQ(faults_of("balance_push_forward", overrides), Names{});
}

}  // namespace
}  // namespace aplomb
