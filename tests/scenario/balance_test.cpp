// The experiments of docs/momentum_balance.md hold what they demand.
#include <gtest/gtest.h>

#include "allocation_counter.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/search.hpp"

namespace aplomb {
namespace {

/// Runs a scenario of ours by name; what does not hold is told by check.
void expect_pass(const std::string& name, std::vector<Override> overrides = {}) {
  // Sanitizers make a run up to ten times longer: there two cycles of the long ones must do.
  const bool is_long = name.starts_with("balance_moving") || name == "balance_rocking";
  if (is_long && !counts_allocations()) overrides.push_back({"duration_s", "8"});
  const RunResult output = run_scenario(load_scenario(name, overrides));
  for (const CheckOutcome& outcome : output.result.checks) {
    EXPECT_TRUE(outcome.ok) << name << ": " << outcome.check.metric << " is " << to_text(outcome.value);
  }
}

class BalanceScenario : public testing::TestWithParam<const char*> {};

TEST_P(BalanceScenario, HoldsWhatItDemands) { expect_pass(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Experiment, BalanceScenario,
                         testing::Values("balance_push_forward", "balance_push_side_single", "balance_moving_slopes",
                                         "balance_moving_slopes_fast", "balance_moving_slopes_phase", "balance_rocking",
                                         "balance_ice", "balance_gains_literal", "balance_gains_printed",
                                         "balance_push_relative", "balance_push_wall", "balance_fault_sensor_lost",
                                         "balance_fault_contact_lost", "balance_fault_friction_drop",
                                         "balance_fault_delay", "balance_fault_mass"),
                         [](const auto& name) { return std::string(name.param); });

TEST(Balance, OnOneFootASidePushToTheOtherSideHoldsTheSameDemands) {
  expect_pass("balance_push_side_single", {{"events.0.push.direction_deg", "270"}});
}

TEST(Balance, OnOneFootSurvives150NewtonsToEitherSide) {
  for (const char* direction : {"90", "270"}) {
    const RunResult output = run_scenario(load_scenario(
        "balance_push_side_single",
        std::vector<Override>{{"events.0.push.magnitude_n", "150"}, {"events.0.push.direction_deg", direction}}));
    EXPECT_EQ(output.result.metrics.number("fell"), 0.0) << direction;
  }
}

TEST(Balance, TheSameFileHoldsForRobotsOfOtherSizes) {
  for (const char* robot : {"coman", "sarcos", "sarcos_heavy"}) {
    expect_pass("balance_push_relative", {{"robot", robot}});
  }
}

class PushLimit : public testing::TestWithParam<const char*> {};

TEST_P(PushLimit, FromAllSidesIsAtLeastTheDemandedOne) {
  const ManyRunsResult output = search_limit(load_scenario(GetParam()), {.jobs = 1});
  EXPECT_EQ(output.result.metrics.number("search_failures"), 0.0);
  EXPECT_TRUE(output.result.all_checks_hold());
}

INSTANTIATE_TEST_SUITE_P(Of, PushLimit, testing::Values("balance_push_8", "balance_push_8_single"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace aplomb
