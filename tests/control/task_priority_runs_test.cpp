// The experiments of docs/task_priority.md: each scenario file has its own checks.
#include <gtest/gtest.h>

#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {
namespace {

std::filesystem::path file_of(const std::string& name) {
  return std::filesystem::path(APLOMB_SOURCE_DIR) / "scenarios" / (name + ".yaml");
}

Result run(const std::string& name, std::vector<Override> overrides = {}) {
  return run_scenario(load_scenario(file_of(name).string(), overrides), {}).result;
}

class TaskPriorityRun : public testing::TestWithParam<std::string> {};

TEST_P(TaskPriorityRun, HoldsItsChecks) {
  const Result result = run(GetParam());
  for (const CheckOutcome& outcome : result.checks) {
    EXPECT_TRUE(outcome.ok) << outcome.check.metric << " is " << to_text(outcome.value);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenario, TaskPriorityRun,
                         testing::Values("hoap3_stand_push", "hoap3_stand_held", "hoap3_squat", "hoap3_squat_deep",
                                         "hoap3_tasks", "hoap3_step", "hoap3_fault_cell_dead",
                                         "hoap3_fault_foot_frozen", "hoap3_fault_nan", "hoap3_fault_reach",
                                         "hoap3_fault_jump"),
                         [](const auto& name) { return name.param; });

/// Whether the robot falls under a push of this size and direction. `name`: a scenario that searches for the largest
/// push.
bool falls(const std::string& name, double push_n, int direction_deg) {
  const std::vector<Override> overrides = {{"events.0.push.magnitude_n", std::to_string(push_n)},
                                           {"events.0.push.direction_deg", std::to_string(direction_deg)}};
  return run_scenario(with_values(load_scenario(file_of(name).string()), overrides), {})
             .result.metrics.number("fell") == 1.0;
}

TEST(TaskPriorityRuns, LeaveASmallerZmpOffsetUnderAHeldPushThanWithoutFeedback) {
  const double with = run("hoap3_stand_held").metrics.number("zmp_offset_end_m").value();
  const double without = run("hoap3_stand_held_open").metrics.number("zmp_offset_end_m").value();
  EXPECT_LT(with, 0.6 * without);
}

TEST(TaskPriorityRuns, SurviveALargerHeldPushThanWithoutFeedbackAndNoSmallerShortOne) {
  struct Direction {
    int deg;
    double held_open, short_open;  // largest pushes without feedback [N], found by the search
  };
  for (const Direction& direction :
       {Direction{0, 10.0, 38.0}, {90, 17.25, 60.0}, {180, 11.25, 41.75}, {270, 17.25, 60.0}}) {
    EXPECT_TRUE(falls("hoap3_held_limit_open", direction.held_open + 0.25, direction.deg)) << direction.deg;
    EXPECT_FALSE(falls("hoap3_held_limit", 1.15 * direction.held_open, direction.deg)) << direction.deg;
    EXPECT_FALSE(falls("hoap3_push_limit", direction.short_open, direction.deg)) << direction.deg;
  }
}

TEST(TaskPriorityRuns, KeepOtherRobotsUprightWithTheSameFiles) {
  for (const char* robot : {"coman", "talos"}) {
    for (const char* name : {"hoap3_stand_push", "hoap3_stand_held", "hoap3_squat", "hoap3_tasks", "hoap3_step"}) {
      EXPECT_EQ(run(name, {{"robot", robot}}).metrics.number("fell"), 0.0) << name << " " << robot;
    }
  }
}

TEST(TaskPriorityRuns, StopASmoothSquatWhereTheDrivesCanJustHoldIt) {
  const Result result =
      run("hoap3_fault_reach",
          {{"reference.com", "{points: [{time_s: 1, offset_m: [0, 0, 0]}, {time_s: 3, offset_m: [0, 0, -0.1]}]}"}});
  EXPECT_EQ(result.metrics.number("fell"), 0.0);
  EXPECT_GT(result.metrics.number("com_height_error_max_m").value(), 0.05);  // the reference is out of reach
}

TEST(TaskPriorityRuns, ListTheFault) {
  for (const auto& [scenario, fault] : {std::pair{"hoap3_fault_cell_dead", "left_load_cell_silent"},
                                        std::pair{"hoap3_fault_foot_frozen", "left_load_cells_repeat_themselves"},
                                        std::pair{"hoap3_fault_nan", "right_load_cells_nan"},
                                        std::pair{"hoap3_fault_reach", "com_reference_out_of_reach"},
                                        std::pair{"hoap3_fault_jump", "com_reference_too_fast"}}) {
    const Result result = run(scenario);
    EXPECT_TRUE(std::ranges::any_of(result.faults, [&](const Fault& listed) { return listed.name == fault; }))
        << scenario;
  }
}

}  // namespace
}  // namespace aplomb
