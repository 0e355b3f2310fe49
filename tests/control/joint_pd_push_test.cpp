// Small pushes on every robot of the project under joint_pd, in simulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aplomb/scenario/run_scenario.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

Metrics metrics_of_push(const std::string& robot, const std::string& force_per_weight) {
  const std::string text = fmt::format(
      "scenario: push\nrobot: {}\nduration_s: 4\ncontroller: {{kind: joint_pd}}\n"
      "events: [{{push: {{link: trunk, force_per_weight: {}, start_s: 0.5, duration_s: 0.1}}}}]\n",
      robot, force_per_weight);
  return run_scenario(parse_scenario(text, "push.yaml")).result.metrics;
}

class PushedRobot : public testing::TestWithParam<std::string> {};

TEST_P(PushedRobot, RecoversFromAPushOfATwentiethOfItsWeightForATenthOfASecond) {
  // An impulse of 0.005 m g s moves the CoM at 0.049 m/s: a pendulum of height h would move by 0.049 √(h/g), about 10
  // mm.
  for (const char* force : {"[0.05, 0, 0]", "[-0.05, 0, 0]", "[0, 0.05, 0]", "[0, -0.05, 0]", "[0, 0, 0.05]"}) {
    const Metrics metrics = metrics_of_push(GetParam(), force);
    EXPECT_EQ(std::get<bool>(*metrics.find("fell")), false) << force;
    EXPECT_LT(*metrics.number("com_error_end_m"), 0.002) << force;
    EXPECT_LT(*metrics.number("torque_peak_ratio"), 1.0) << force;
    EXPECT_EQ(*metrics.number("sim_warnings"), 0.0) << force;
  }
}

INSTANTIATE_TEST_SUITE_P(JointPd, PushedRobot, testing::ValuesIn(test::kOurRobots),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
