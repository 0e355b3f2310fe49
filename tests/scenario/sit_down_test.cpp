#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

bool flag(const Metrics& metrics, std::string_view key) { return std::get<bool>(*metrics.find(key)); }
std::string text(const Metrics& metrics, std::string_view key) {
  const MetricValue* const value = metrics.find(key);
  const std::string* const said = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return said != nullptr ? *said : std::string();
}

/// Shared by all tests here, so that each plan is made once.
RisePlanner& planner() {
  static RisePlanner shared;
  return shared;
}

/// A run of a shipped scenario, planned with the robot's own masses.
Result run(const std::string& scenario, std::vector<Override> changes = {}) {
  changes.push_back({"plan.parameters", "true"});
  return run_scenario(load_scenario(scenario, changes), {}, &planner()).result;
}

std::string failed(const Result& result) {
  std::string names;
  for (const CheckOutcome& outcome : result.checks) {
    if (!outcome.ok) names += outcome.check.metric + " ";
  }
  return names;
}

class SitDown : public testing::TestWithParam<const char*> {};

TEST_P(SitDown, EndsOnTheSeatWithEveryCheck) {
  const Result result = run(GetParam());
  EXPECT_EQ(failed(result), "");
  EXPECT_TRUE(flag(result.metrics, "sat_down"));
  EXPECT_EQ(text(result.metrics, "rise_outcome"), "sat_down");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*result.metrics.find("stood_up")));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*result.metrics.find("gave_up_s")));
  EXPECT_NEAR(*result.metrics.number("seat_on_s"), *result.metrics.number("seat_on_planned_s"), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Of, SitDown, testing::Values("sit_down_natural", "sit_down_elderly", "sit_stand_sit"),
                         [](const auto& one) { return std::string(one.param); });

TEST(SitDownOnAnotherChair, TheSeatIsFoundWhereItIs) {
  for (const char* height : {"0.43", "0.46"}) {
    const Result result = run("sit_down_elderly", {{"world.chair.height_m", height}});
    EXPECT_TRUE(flag(result.metrics, "sat_down")) << height;
    EXPECT_LT(*result.metrics.number("touch_velocity_m_per_s"), 0.1) << height;
  }
}

TEST(GivenUpRise, SitsBackWhenAFootLosesItsContactAndSaysSo) {
  const Result result =
      run("sit_to_stand_natural", {{"events", "[{contact_lost: {foot: left, start_s: 2.2, duration_s: 0.05}}]"}});
  EXPECT_EQ(text(result.metrics, "gave_up_reason"), "a foot lost its contact");
  EXPECT_NEAR(result.metrics.number("gave_up_s").value_or(0.0), 2.23, 0.03);
  EXPECT_EQ(text(result.metrics, "rise_outcome"), "sat_back");
  EXPECT_FALSE(flag(result.metrics, "fell"));
}

TEST(RiseFromAnotherChair, FeetThatHangAtFirstAreNoReasonToGiveUp) {
  const Result result = run("sit_to_stand_natural", {{"world.chair.height_m", "0.47"}});
  EXPECT_EQ(text(result.metrics, "rise_outcome"), "stood_up");
  EXPECT_TRUE(flag(result.metrics, "ended_safely"));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*result.metrics.find("gave_up_s")));
}

TEST(PushedRise, EndsAtRestOrFallsDampedAndTheImpactIsReported) {
  const auto pushed = [](double force_n) {
    return run("sit_to_stand_natural",
               {{"events", "[{push: {link: trunk, at: com, force_n: [-" + std::to_string(force_n) +
                               ", 0, 0], start_s: 2.04, duration_s: 0.1}}]"}});
  };
  const Result light = pushed(300.0), heavy = pushed(2000.0);
  EXPECT_TRUE(flag(light.metrics, "ended_safely"));
  EXPECT_FALSE(light.metrics.number("impact_peak_n").has_value());
  EXPECT_FALSE(flag(heavy.metrics, "ended_safely"));
  EXPECT_EQ(text(heavy.metrics, "rise_outcome"), "fell");
  // A body that is stopped at all bears more than its weight.
  EXPECT_GT(heavy.metrics.number("impact_peak_n").value_or(0.0), 93.9 * 9.81);
  EXPECT_EQ(std::get<std::int64_t>(*heavy.metrics.find("nonfinite_values")), 0);
}

TEST(RiseWithHands, HandsBearFromTheStartSoThatTheSeatBearsWhatIsPlanned) {
  // Hands that hang above their rests until the trunk moves leave 23 N on the seat, and are off by 30 N themselves.
  const Result result = run("sit_to_stand_arm_rests");
  EXPECT_TRUE(flag(result.metrics, "stood_up"));
  EXPECT_LT(*result.metrics.number("seat_force_error_rms_n"), 15.0);
  EXPECT_LT(*result.metrics.number("hand_force_error_rms_n"), 25.0);
}

}  // namespace
}  // namespace aplomb
