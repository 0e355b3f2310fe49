// A controller from outside of the library. It is a program of its own: the keys of scenario files depend on the
// controllers that a program has registered.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/joint_pd.hpp"
#include "aplomb/scenario/compare.hpp"
#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

struct StiffSettings {
  double gain = 2.0;
};

/// Holds the posture with stiffer joints than joint_pd.
class StiffJoints final : public Controller {
 public:
  StiffJoints(const ControllerContext& context, const StiffSettings& settings)
      : joints_(context.model, context.start, {.gain_scale = context.gain_scale * settings.gain}) {
    signals_[0].value = settings.gain;
  }

  const Command& step(const SensorReadings& readings) override {
    const Command& command = joints_.step(readings);
    signals_[1].value = (command.position - readings.state.q.tail(command.position.size())).cwiseAbs().maxCoeff();
    return command;
  }
  std::span<const Signal> signals() const override { return signals_; }

 private:
  JointPd joints_;
  std::vector<Signal> signals_{{"stiff_gain"}, {"stiff_error_rad"}};
};

ControllerKind stiff_kind(const std::string& name) {
  return ControllerKind::of(
      name, "holds the posture with stiff joints",
      SettingsOf<StiffSettings>().add(&StiffSettings::gain,
                                      schema::number("my_gain", "factor for the springs").above(0).at_most(10)),
      [](const ControllerContext& context, const StiffSettings& settings) {
        return std::make_unique<StiffJoints>(context, settings);
      });
}

const bool kIsRegistered = [] {
  register_controller(stiff_kind("stiff"));
  return true;
}();

Scenario standing(std::vector<Override> overrides) {
  overrides.push_back({"duration_s", "0.2"});
  return load_scenario("stand_balancer", overrides);
}

Scenario with_controller(const std::string& controller) {
  return parse_scenario("scenario: mine\nrobot: balancer\nduration_s: 0.1\ncontroller: {" + controller + "}\n",
                        "mine.yaml");
}

TEST(RegisteredController, RunsInAScenarioWithItsSignalsInTheLog) {
  ASSERT_TRUE(kIsRegistered);
  const RunResult run = run_scenario(standing({{"controller.kind", "stiff"}, {"controller.stiff.my_gain", "3"}}));
  EXPECT_EQ(run.log.column("stiff_gain").back(), 3.0);
  EXPECT_GT(run.log.column("stiff_error_rad").back(), 0.0);
  EXPECT_EQ(run.result.metrics.number("fell"), 0.0);
}

TEST(RegisteredController, AKeyThatIsAbsentKeepsTheDefaultOfTheStruct) {
  const RunResult run = run_scenario(standing({{"controller.kind", "stiff"}}));
  EXPECT_EQ(run.log.column("stiff_gain").back(), 2.0);
}

TEST(RegisteredController, ItsKeyIsCheckedAgainstItsRangeWithFileAndLine) {
  EXPECT_TRUE(has(error_of([] { with_controller("kind: stiff, stiff: {my_gain: 99}"); }),
                  "mine.yaml:4:44: controller.stiff.my_gain must be above 0, at most 10"));
  EXPECT_TRUE(has(error_of([] { with_controller("stiff: {gain: 1}"); }), "unknown key 'gain' in controller.stiff"));
}

TEST(RegisteredController, AnUnknownKindIsReportedWithTheRegisteredOnes) {
  const std::string error = error_of([] { with_controller("kind: stif"); });
  EXPECT_TRUE(has(error, "task_priority, stiff"));
  EXPECT_TRUE(has(error, "closest is 'stiff'"));
}

TEST(RegisteredController, RepeatsAndComparesLikeABuiltInOne) {
  const ManyRunsResult many = repeat_scenario(standing({{"controller.kind", "stiff"}}), 2, {});
  EXPECT_EQ(many.records.size(), 2u);
  const Comparison comparison = compare_controllers("stand_balancer", {"stiff", "joint_pd"}, {{"duration_s", "0.2"}});
  ASSERT_EQ(comparison.runs.size(), 2u);
  EXPECT_EQ(comparison.runs[0].controller, "stiff");
  EXPECT_EQ(comparison.runs[0].error, "");
}

TEST(RegisteredController, ANameCanBeRegisteredOnce) {
  EXPECT_TRUE(has(error_of([] { register_controller(stiff_kind("stiff")); }), "there is one with this name already"));
  EXPECT_TRUE(has(error_of([] { register_controller(stiff_kind("joint_pd")); }), "there is one with this name"));
  EXPECT_TRUE(has(error_of([] { register_controller(stiff_kind("tasks")); }), "a key that every controller has"));
  EXPECT_TRUE(has(error_of([] { register_controller(stiff_kind("My PD")); }), "lower-case letters"));
}

TEST(RegisteredController, CannotComeAfterTheFirstScenario) {
  with_controller("kind: stiff");
  EXPECT_TRUE(has(error_of([] { register_controller(stiff_kind("late")); }), "register at the start of main"));
}

}  // namespace
}  // namespace aplomb
