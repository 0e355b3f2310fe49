#include "aplomb/pipeline/stand_up.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// The natural rise, planned with the robot's own masses.
const Scenario& natural() {
  static const Scenario scenario =
      load_scenario("sit_to_stand_natural", std::vector<Override>{{"plan.parameters", "true"}});
  return scenario;
}

const RisePlan& natural_plan() {
  static RisePlanner planner;
  static const std::shared_ptr<const RisePlan> plan = plan_rise(natural(), planner);
  return *plan;
}

TEST(StandUp, GivesTheSameLogAsTheScenarioOfThatRise) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  World world;
  world.floor.friction = 1.0;
  world.chair = Chair{.height = 0.45};
  const MotionPlan& plan = *natural_plan().motion;
  const double plan_s = plan.trajectory.end_s() - plan.trajectory.start_s;
  const RunResult alone = stand_up(robot, robot, plan, {.world = world, .hold_s = natural().duration_s - 1.0 - plan_s});
  const RunResult scenario = run_scenario(natural());
  ASSERT_EQ(alone.log.columns(), scenario.log.columns());
  ASSERT_EQ(alone.log.num_rows(), scenario.log.num_rows());
  const std::size_t last = alone.log.num_rows() - 1;
  for (std::size_t column = 0; column < alone.log.columns().size(); ++column) {
    const double a = alone.log.at(last, column), b = scenario.log.at(last, column);
    EXPECT_TRUE(a == b || (a != a && b != b)) << alone.log.columns()[column] << ": " << a << " and " << b;
  }
}

TEST(StandUp, OnThePlansOwnChairStandsAndIsJudged) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const RunResult rise = stand_up(robot, *natural_plan().believed, *natural_plan().motion);
  EXPECT_TRUE(rise.result.all_checks_hold());
  EXPECT_GE(rise.result.checks.size(), 5u);
  EXPECT_TRUE(std::get<bool>(*rise.result.metrics.find("stood_up")));
}

TEST(StandUp, OfAnotherRobotIsRefused) {
  const RobotModel coman = RobotModel::load("coman");
  const std::string said = test::error_of([&] { stand_up(coman, coman, *natural_plan().motion); });
  EXPECT_TRUE(test::has(said, "the plan was made for robot sarcos_real with"));
}

TEST(StandUp, UnderAnUnknownControllerNamesTheKnownOnes) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const std::string said =
      test::error_of([&] { stand_up(robot, robot, *natural_plan().motion, {.controller = "inverse_dynamic"}); });
  EXPECT_TRUE(test::has(said, "closest is 'inverse_dynamics'"));
}

}  // namespace
}  // namespace aplomb
