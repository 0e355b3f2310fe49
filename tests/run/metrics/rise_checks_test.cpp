#include "aplomb/run/metrics/rise_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aplomb/run/run.hpp"
#include "run/metrics/small_plan.hpp"

namespace aplomb {
namespace {

/// A finished run of that robot that follows `plan`, with nothing wrong but what `metrics` say.
RunResult finished(const char* robot, bool has_seat) {
  RunResult run;
  run.setup.robot = std::make_shared<const RobotModel>(RobotModel::load(robot));
  const auto plan = test::still_plan(*run.setup.robot);
  if (!has_seat) plan->contacts.contacts.pop_back();
  run.setup.plan = plan;
  run.result.metrics.set("fell", false);
  for (const char* metric : {"sim_warnings", "solver_failures", "nonfinite_values"}) {
    run.result.metrics.set(metric, std::int64_t{0});
  }
  for (const Check& check : rise_checks(*run.setup.robot)) run.result.metrics.set(check.metric, 0.0);
  return run;
}

const CheckOutcome* find(const RunResult& run, std::string_view metric) {
  const auto found = std::ranges::find(run.result.checks, metric, [](const auto& one) { return one.check.metric; });
  return found == run.result.checks.end() ? nullptr : &*found;
}

TEST(RiseChecks, EveryRiseFromASeatIsJudgedOnItsLoads) {
  for (const char* metric : {"joint_speed_ratio_max", "torque_saturated_s", "foot_force_peak_per_weight",
                             "foot_force_jump_max_n", "torque_jump_ratio_max"}) {
    RunResult run = finished("coman", true);
    run.result.metrics.set(metric, 1e6);
    judge_run(run, {});
    ASSERT_NE(find(run, metric), nullptr) << metric;
    EXPECT_FALSE(find(run, metric)->ok) << metric;
    EXPECT_EQ(run.result.verdict(), "fail") << metric;
  }
}

TEST(RiseChecks, AScenariosOwnBoundReplacesTheDefault) {
  RunResult run = finished("coman", true);
  run.result.metrics.set("foot_force_peak_per_weight", 1.8);
  judge_run(run, {{.metric = "foot_force_peak_per_weight", .rule = Check::Rule::below, .bound = 2.0}});
  EXPECT_EQ(run.result.verdict(), "pass");
  EXPECT_EQ(run.result.checks.size(), 1u + 4u + 4u);  // its own, of every run, of every rise
}

TEST(RiseChecks, AMotionWithoutASeatIsNoRise) {
  RunResult run = finished("coman", false);
  run.result.metrics.set("foot_force_peak_per_weight", 1e6);
  judge_run(run, {});
  EXPECT_EQ(find(run, "foot_force_peak_per_weight"), nullptr);
  EXPECT_EQ(run.result.verdict(), "pass");
}

TEST(RiseChecks, TheBoundOfTheForceJumpIsThatOfTheRobotsWeight) {
  const auto bound = [](const char* robot) {
    RunResult run = finished(robot, true);
    judge_run(run, {});
    return std::get<double>(find(run, "foot_force_jump_max_n")->check.bound);
  };
  EXPECT_NEAR(bound("coman"), 0.05 * 28.8934 * 9.81, 0.01);
  EXPECT_NEAR(bound("sarcos_heavy") / bound("sarcos_real"), 124.88 / 93.88, 1e-3);
}

}  // namespace
}  // namespace aplomb
