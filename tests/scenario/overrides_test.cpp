#include "aplomb/scenario/overrides.hpp"

#include <gtest/gtest.h>

#include "aplomb/scenario/scenario.hpp"
#include "scenario/example_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

Scenario example_with(const std::vector<std::string>& options) {
  std::vector<Override> overrides;
  for (const std::string& option : options) overrides.push_back(parse_override(option));
  return parse_scenario(test::kExampleScenario, "f.yaml", overrides);
}
std::string error_with(const std::string& option) {
  return error_of([&] { example_with({option}); });
}

TEST(Overrides, SplitAtTheFirstEqualsSign) {
  const Override change = parse_override("about=a = b");
  EXPECT_EQ(change.key, "about");
  EXPECT_EQ(change.value, "a = b");
  EXPECT_EQ(change.option(), "--set about=a = b");
}

TEST(Overrides, AnOptionThatIsNotKeyAndValueIsRefused) {
  EXPECT_TRUE(has(error_of([] { parse_override("duration_s"); }), "--set duration_s: KEY=VALUE is expected"));
  for (const char* option : {"=3", ".a=3", "a.=3", "a..b=3", "="}) {
    EXPECT_TRUE(has(error_of([&] { parse_override(option); }), "a part of the key is empty")) << option;
  }
}

TEST(Overrides, ChangeOneValue) {
  EXPECT_EQ(example_with({"duration_s=2.5"}).duration_s, 2.5);
  EXPECT_EQ(example_with({"events.0.push.force_n=[0,100,0]"}).pushes[0].amount, Eigen::Vector3d(0, 100, 0));
  EXPECT_EQ(example_with({"events.0.push.force_n.1=7"}).pushes[0].amount, Eigen::Vector3d(120, 7, 0));
  EXPECT_EQ(example_with({"start.joint_offset_rad.waist=0.2"}).start.joint_offset_rad.at("waist"), 0.2);
  EXPECT_EQ(example_with({"world={floor: {friction: 0.3}}"}).world.floor.friction, 0.3);
  EXPECT_TRUE(example_with({"events=[]"}).pushes.empty());
  EXPECT_EQ(example_with({"checks.0.equals=true"}).checks[0].bound, MetricValue(true));
}

TEST(Overrides, LaterOnesWin) {
  EXPECT_EQ(example_with({"seed=5", "seed=6"}).seed, 6);
  EXPECT_EQ(example_with({"events=[{push: {magnitude_n: 1}}]", "events.0.push.magnitude_n=2"}).pushes[0].amount.x(), 2);
}

TEST(Overrides, CreateTheMapsThatAreNotInTheFile) {
  const Override change = parse_override("world.floor.friction=0.25");
  const Scenario scenario = parse_scenario("scenario: s\nrobot: r\nduration_s: 1\n", "f.yaml", {&change, 1});
  EXPECT_EQ(scenario.world.floor.friction, 0.25);
}

TEST(Overrides, SupplyAKeyThatTheFileLacks) {
  const Override change = parse_override("duration_s=4");
  EXPECT_EQ(parse_scenario("scenario: s\nrobot: r\n", "f.yaml", {&change, 1}).duration_s, 4.0);
}

TEST(Overrides, AnUnknownKeyIsReportedWithTheNearestOne) {
  EXPECT_TRUE(has(error_with("duraton_s=2"), "--set duraton_s=2: unknown key 'duraton_s'; closest is 'duration_s'"));
  EXPECT_TRUE(has(error_with("event.0.push.force_n=[0,0,0]"), "unknown key 'event'; closest is 'events'"));
  EXPECT_TRUE(
      has(error_with("events.0.push.forc_n=[0,0,0]"), "unknown key 'forc_n' in events.0.push; closest is 'force_n'"));
  EXPECT_TRUE(
      has(error_with("world={flor: {}}"), "--set world={flor: {}}: unknown key 'flor' in world; closest is 'floor'"));
}

TEST(Overrides, AnIndexOutOfRangeSaysHowManyThereAre) {
  EXPECT_EQ(error_with("events.4.push.start_s=1"),
            "--set events.4.push.start_s=1: events has 4 items (0 to 3), there is no '4'; an item is added by setting "
            "the whole list: --set 'events=[..., {push: ...}]'");
  EXPECT_TRUE(has(error_with("events.first.push.start_s=1"), "events has 4 items (0 to 3), there is no 'first'"));
  EXPECT_TRUE(has(error_with("events.-1.push.start_s=1"), "there is no '-1'"));
  EXPECT_TRUE(has(error_with("events.0.push.force_n.3=1"), "events.0.push.force_n has 3 items (0 to 2)"));
  const Override change = parse_override("events.0.push.start_s=1");
  EXPECT_TRUE(has(error_of([&] {
                    parse_scenario("scenario: s\nrobot: r\nduration_s: 1\n", "f", {&change, 1});
                  }),
                  "events has 0 items, there is no '0'; an item is added by setting the whole list: --set "
                  "'events=[{push: ...}]'"));
}

TEST(Overrides, NothingIsInsideAValue) {
  EXPECT_EQ(error_with("duration_s.x=1"),
            "--set duration_s.x=1: duration_s is a value (number), there is no 'x' inside");
  EXPECT_TRUE(has(error_with("events.0.push.at.0=1"), "events.0.push.at is a value"));
  const Override change = parse_override("world.floor.friction=1");
  EXPECT_TRUE(has(error_of([&] { parse_scenario("world: 3\n", "f", {&change, 1}); }), "world is not a map"));
  EXPECT_TRUE(has(error_of([&] { parse_scenario("[1]\n", "f", {&change, 1}); }), "the file is not a map"));
  const Override event = parse_override("events.0={}");
  EXPECT_TRUE(has(error_of([&] {
                    parse_scenario("events: 3\n", "f", {&event, 1});
                  }),
                  "events is not a list in the file"));
}

TEST(Overrides, ABadValueIsReportedUnderTheOptionsName) {
  EXPECT_EQ(error_with("duration_s=-1"),
            "--set duration_s=-1: duration_s must be at least 0.001, at most 3600 [s], not -1");
  EXPECT_EQ(error_with("duration_s="), "--set duration_s=: duration_s must be a number [s], not nothing");
  EXPECT_TRUE(has(error_with("duration_s=[1"), "--set duration_s=[1: a bracket is not closed"));
  EXPECT_TRUE(has(error_with("duration_s=nan"), "must be a finite number"));
  EXPECT_TRUE(has(error_with("controller.kind=joint_pid"),
                  "--set controller.kind=joint_pid: controller.kind must be one of joint_pd, "));
  EXPECT_TRUE(has(error_with("events.0.push.force_n=[0,1]"), "must be a list of 3 numbers [N], not a list of 2"));
  EXPECT_TRUE(
      has(error_with("events.0.push.force_n=[0,1,x]"), "--set events.0.push.force_n=[0,1,x]: events.0.push.force_n.2"));
  EXPECT_TRUE(has(error_with("events.0.push.impulse_n_s=[0,1,0]"),
                  "--set events.0.push.impulse_n_s=[0,1,0]: events.0.push must have exactly one of"));
  EXPECT_TRUE(
      has(error_with("checks.0.metric=fel"), "--set checks.0.metric=fel: no metric named 'fel'; closest is 'fell'"));
  EXPECT_TRUE(has(error_with("about=&x y"), "an anchor"));
}

TEST(Overrides, TheEffectiveTextGivesTheSameScenarioAgain) {
  const Scenario changed =
      example_with({"duration_s=2.5", "events.0.push.force_n=[0,100,0]", "about='now, with: signs'"});
  EXPECT_TRUE(has(changed.text, "duration_s: 2.5\n"));
  EXPECT_TRUE(has(changed.text, "force_n: [0, 100, 0]"));
  const Scenario again = parse_scenario(changed.text, "effective.yaml");
  EXPECT_EQ(again.duration_s, 2.5);
  EXPECT_EQ(again.about, changed.about);
  EXPECT_EQ(again.pushes[0].amount, changed.pushes[0].amount);
  EXPECT_EQ(again.pushes.size(), changed.pushes.size());
  EXPECT_EQ(to_yaml(again.yaml), changed.text);
}

}  // namespace
}  // namespace aplomb
