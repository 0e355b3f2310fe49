// What cannot be computed in bounded time is refused, with the reason.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::has;

std::string error_of_run(const char* scenario, const std::vector<Override>& overrides) {
  return test::error_of([&] { run_scenario(load_scenario(scenario, overrides)); });
}

TEST(Bounds, ARiseWithoutAChairIsRefused) {
  const std::string error = error_of_run("balance_push_forward", {{"plan.style", "natural"}});
  EXPECT_TRUE(has(error, "--set plan.style=natural: plan: a rise needs a chair to rise from"));
  EXPECT_TRUE(has(error, "world.chair.height_m"));
}

TEST(Bounds, ARiseFromAChairThatThePlannerDoesNotKnowIsRefused) {
  const std::string error =
      error_of_run("balance_push_forward", {{"plan.style", "natural"}, {"world.chair.height_m", "0.3"}});
  EXPECT_TRUE(has(error, "--set changes the world, not what planner and controller believe of it"));
}

TEST(Bounds, ContactSpringsThatNeedEndlesslySmallStepsAreRefused) {
  const std::string error = error_of_run("coman_wall", {{"plant.mass_scale", "1e-9"}});
  EXPECT_TRUE(has(error, "the contact springs are too stiff for a robot of"));
  EXPECT_TRUE(has(error, "at most 1000 are made"));
}

}  // namespace
}  // namespace aplomb
