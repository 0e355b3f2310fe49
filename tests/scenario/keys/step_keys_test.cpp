#include "aplomb/scenario/keys/step_keys.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

std::vector<StepRequest> steps_of(const std::vector<std::string>& steps) {
  const std::string document = fmt::format(
      "scenario: steps\nrobot: balancer\nduration_s: 9\nreference: {{feet: [{}]}}\n", fmt::join(steps, ", "));
  return parse_scenario(document, "steps.yaml").com_reference.steps;
}

std::string step(const std::string& times, const std::string& rest) {
  return fmt::format("{{foot: left, {}, {}}}", times, rest);
}

const std::string kFirst = "unload_s: 0, lift_off_s: 1, touch_down_s: 2, carry_s: 3";

TEST(StepKeys, MeasureInMetresOrInHeightsOfTheCom) {
  const FootStep metres = make_steps(steps_of({step(kFirst, "step_m: [0.1, 0, 0], lift_m: 0.02")}), 0.5).at(0);
  EXPECT_EQ(metres.foot, kLeft);
  EXPECT_EQ(metres.step, Eigen::Vector3d(0.1, 0.0, 0.0));
  EXPECT_EQ(metres.lift, 0.02);
  EXPECT_EQ(metres.swing_s(), 1.0);
  const std::string heights = step(kFirst, "step_per_com_height: [0.1, 0, 0], lift_per_com_height: 0.2");
  const FootStep scaled = make_steps(steps_of({heights}), 0.5).at(0);
  EXPECT_EQ(scaled.step, Eigen::Vector3d(0.05, 0.0, 0.0));
  EXPECT_EQ(scaled.lift, 0.1);
  EXPECT_GT(make_steps(steps_of({step(kFirst, "step_m: [0, 0, 0]")}), 0.5).at(0).lift, 0.0);
}

TEST(StepKeys, RefuseTimesThatDoNotIncrease) {
  for (const char* times : {"unload_s: 1, lift_off_s: 1, touch_down_s: 2, carry_s: 3",
                            "unload_s: 0, lift_off_s: 2, touch_down_s: 1, carry_s: 3",
                            "unload_s: 0, lift_off_s: 1, touch_down_s: 3, carry_s: 2"}) {
    EXPECT_TRUE(test::has(test::error_of([&] { steps_of({step(times, "step_m: [0, 0, 0]")}); }), "must increase"));
  }
}

TEST(StepKeys, RefuseAStepThatBeginsBeforeTheLastHasEnded) {
  const std::string rest = "step_m: [0, 0, 0]";
  const std::string early = "unload_s: 2, lift_off_s: 4, touch_down_s: 5, carry_s: 6";
  const std::string late = "unload_s: 3, lift_off_s: 4, touch_down_s: 5, carry_s: 6";
  EXPECT_EQ(steps_of({step(kFirst, rest), step(late, rest)}).size(), 2u);
  const auto overlap = [&] { steps_of({step(kFirst, rest), step(early, rest)}); };
  EXPECT_TRUE(test::has(test::error_of(overlap), "before the one before has ended"));
}

TEST(StepKeys, RefuseTwoLifts) {
  const std::string both = step(kFirst, "step_m: [0, 0, 0], lift_m: 0.02, lift_per_com_height: 0.1");
  EXPECT_TRUE(test::has(test::error_of([&] { steps_of({both}); }), "not both"));
}

}  // namespace
}  // namespace aplomb
