// A payload that nobody told the controller of is found while the robot balances.
#include <gtest/gtest.h>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

TEST(Payload, OfThreeKilogramsIsFoundAndTheComIsBackWithinFiveSeconds) {
  const RunResult output = run_scenario(load_scenario("identify_payload"));
  for (const CheckOutcome& outcome : output.result.checks) {
    EXPECT_TRUE(outcome.ok) << outcome.check.metric << " is " << to_text(outcome.value);
  }
  EXPECT_NEAR(*output.result.metrics.number("payload_mass_kg"), 3.0, 0.1);
}

TEST(Payload, WithoutTheEstimateTheComStaysOff) {
  Scenario scenario = load_scenario("identify_payload");
  scenario.payload_link.clear();
  const RunResult output = run_scenario(scenario);
  EXPECT_GT(*output.result.metrics.number("com_error_end_m"), 0.01);
}

TEST(Payload, IsNotSeenInAPush) {
  const std::vector<Override> changes = {{"events.0", "{push: {force_n: [100, 0, 0], start_s: 2}}"},
                                         {"duration_s", "5"}};
  const RunResult output = run_scenario(load_scenario("identify_payload", changes));
  EXPECT_LT(std::abs(*output.result.metrics.number("payload_mass_kg")), 0.1);
  EXPECT_LT(*output.result.metrics.number("payload_com_error_end_m"), 1e-3);
}

TEST(Payload, OfALinkThatTheRobotLacksIsAnErrorWithItsPlace) {
  const std::vector<Override> changes = {{"estimate.payload.link", "nose"}};
  try {
    run_scenario(load_scenario("identify_payload", changes));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--set estimate.payload.link=nose"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace aplomb
