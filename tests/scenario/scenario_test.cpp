#include "aplomb/scenario/scenario.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "aplomb/core/files/data_dir.hpp"
#include "scenario/example_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

constexpr const char* kSmall = "scenario: s\nrobot: balancer\nduration_s: 2\n";

Scenario parse(const std::string& text) { return parse_scenario(text, "f.yaml"); }
/// The error of a small scenario with more lines.
std::string error_with(const std::string& lines) {
  return error_of([&] { parse(kSmall + lines + "\n"); });
}

TEST(Scenario, EveryKeyArrivesInItsField) {
  const Scenario scenario = parse(test::kExampleScenario);
  EXPECT_EQ(scenario.name, "balance_push_forward");
  EXPECT_EQ(scenario.about, "A push of 12 N s at the CoM, both feet on the floor.");
  EXPECT_EQ(scenario.robot, "balancer");
  EXPECT_EQ(scenario.robot_model, "balancer");
  EXPECT_EQ(scenario.start.posture, "half_sitting");
  EXPECT_EQ(scenario.start.joint_offset_rad,
            (std::map<std::string, double>{{"left_knee", 0.01}, {"right_knee", -0.01}}));
  EXPECT_EQ(scenario.world.floor.friction, 0.7);
  EXPECT_EQ(scenario.controller.kind, "joint_pd");
  EXPECT_EQ(scenario.controller.gain_scale, 2.0);
  EXPECT_EQ(scenario.duration_s, 6.0);
  EXPECT_EQ(scenario.seed, 3);
  ASSERT_EQ(scenario.checks.size(), 4u);
  EXPECT_EQ(scenario.checks[0].bound, MetricValue(false));
  EXPECT_EQ(scenario.checks[1].rule, Check::Rule::below);
  EXPECT_EQ(scenario.checks[1].bound, MetricValue(0.012));
  EXPECT_EQ(scenario.checks[2].rule, Check::Rule::above);
  EXPECT_EQ(scenario.checks[3].bound, MetricValue());
  EXPECT_EQ(scenario.text, test::kExampleScenario);
  EXPECT_TRUE(scenario.notes.empty());
}

TEST(Scenario, PushesArriveInOrderWithTheirDefaults) {
  const std::vector<PushRequest> pushes = parse(test::kExampleScenario).pushes;
  ASSERT_EQ(pushes.size(), 4u);
  EXPECT_EQ(pushes[0].link, "trunk");
  EXPECT_EQ(pushes[0].amount, Eigen::Vector3d(120, 0, 0));
  EXPECT_EQ(pushes[0].at, Push::At::robot_com);
  EXPECT_EQ(pushes[1].point_in_link, Eigen::Vector3d(0, 0.1, 0.2));
  EXPECT_EQ(pushes[1].frame, Push::Frame::link);
  EXPECT_EQ(pushes[1].shape, Push::Shape::half_sine);
  EXPECT_EQ(pushes[1].strength, PushRequest::Strength::impulse_n_s);
  EXPECT_EQ(pushes[1].duration_s, 0.1);
  EXPECT_EQ(pushes[2].link, "trunk");
  EXPECT_EQ(pushes[2].strength, PushRequest::Strength::force_per_weight);
  EXPECT_EQ(pushes[2].start_s, 0.0);
  EXPECT_EQ(pushes[3].key, "events.3.push");
}

TEST(Scenario, DirectionZeroIsForwardAndNinetyIsLeft) {
  const auto force = [](const std::string& direction) {
    return parse(kSmall + ("events: [{push: {magnitude_n: 50" + direction + "}}]\n")).pushes.at(0).amount;
  };
  EXPECT_EQ(force(""), Eigen::Vector3d(50, 0, 0));
  EXPECT_LT((force(", direction_deg: 90") - Eigen::Vector3d(0, 50, 0)).norm(), 1e-12);
  EXPECT_LT((force(", direction_deg: -90") - Eigen::Vector3d(0, -50, 0)).norm(), 1e-12);
  EXPECT_LT((force(", direction_deg: 180") - Eigen::Vector3d(-50, 0, 0)).norm(), 1e-12);
}

TEST(Scenario, OnlyThreeKeysAreRequired) {
  const Scenario scenario = parse(kSmall);
  EXPECT_EQ(scenario.start.posture, "half_sitting");
  EXPECT_EQ(scenario.world.floor.friction, 0.8);
  EXPECT_EQ(scenario.controller.kind, "joint_pd");
  EXPECT_EQ(scenario.controller.gain_scale, 1.0);
  EXPECT_EQ(scenario.seed, 1);
  EXPECT_TRUE(scenario.pushes.empty());
  EXPECT_TRUE(scenario.checks.empty());
  EXPECT_TRUE(scenario.robot_model.empty());
  EXPECT_TRUE(has(error_of([] { parse("robot: a\nduration_s: 1\n"); }), "'scenario' is missing"));
  EXPECT_TRUE(has(error_of([] { parse("scenario: a\nduration_s: 1\n"); }), "'robot' is missing"));
  EXPECT_TRUE(has(error_of([] { parse("scenario: a\nrobot: a\n"); }), "'duration_s' is missing"));
}

TEST(Scenario, AWrongValueOfAnyKeyIsAnErrorAtItsPlace) {
  EXPECT_EQ(error_with("frction: 1").substr(0, 31), "f.yaml:4:1: unknown key 'frctio");
  EXPECT_TRUE(has(error_with("start: {posture: [1]}"), "f.yaml:4:18: start.posture must be text"));
  EXPECT_TRUE(has(error_with("start: {joint_offset_rad: {a: x}}"), "start.joint_offset_rad.a must be a number [rad]"));
  EXPECT_TRUE(has(error_with("start: {joint_offset_rad: {a: 11}}"), "must be at least -10, at most 10 [rad], not 11"));
  EXPECT_TRUE(has(error_with("world: {floor: {friction: -0.1}}"), "friction must be at least 0, at most 10"));
  EXPECT_TRUE(has(error_with("world: {floor: {friction: .nan}}"), "friction must be a finite number"));
  EXPECT_TRUE(has(error_with("controller: {kind: joint_pid}"), "closest is 'joint_pd'"));
  EXPECT_TRUE(has(error_with("controller: {gain_scale: 0}"), "controller.gain_scale must be above 0"));
  EXPECT_TRUE(has(error_with("controller: {joint_pd: {kp: 1}}"), "unknown key 'kp' in controller.joint_pd"));
  EXPECT_TRUE(has(error_with("seed: -1"), "seed must be at least 0"));
  EXPECT_TRUE(has(error_with("seed: 1.5"), "seed must be a whole number"));
  EXPECT_TRUE(has(error_with("events: {push: {}}"), "events must be a list of maps"));
  EXPECT_TRUE(has(error_with("events: [{pusch: {}}]"), "unknown key 'pusch' in events.0; closest is 'push'"));
  EXPECT_TRUE(has(error_with("events: [{}]"),
                  "events.0 must have exactly one of push, friction, contact_lost, sensor_fault, payload, not none"));
  EXPECT_TRUE(has(error_with("events: [{sensor_fault: {sensor: joint_position, kind: bias}}]"), "needs the key bias"));
  EXPECT_TRUE(has(error_with("events: [{sensor_fault: {sensor: joint_position, kind: lost, bias: 1}}]"),
                  "the key bias requires kind: bias"));
  EXPECT_TRUE(has(error_with("world: {supports: [{foot: left, motion: {axis: x, amplitude_rad: 1, period_s: 1}}]}"),
                  "a motion along x, y or z has amplitude_m"));
  EXPECT_TRUE(has(error_with("world: {supports: [{foot: left}, {foot: both}]}"), "two supports carry the same foot"));
  EXPECT_TRUE(has(error_with("world: {walls: [{position_m: [0, 0, 0], normal: [0, 0, 0]}]}"), "must not be zero"));
  const auto duration_error = [](const char* value) {
    return error_of([&] { parse(std::string("scenario: s\nrobot: r\nduration_s: ") + value + "\n"); });
  };
  EXPECT_EQ(duration_error("-1"), "f.yaml:3:13: duration_s must be at least 0.001, at most 3600 [s], not -1");
  EXPECT_TRUE(has(duration_error("0"), "at least 0.001"));
  EXPECT_TRUE(has(duration_error("3601"), "at most 3600"));
}

TEST(Scenario, AWrongValueInAPushIsAnErrorAtItsPlace) {
  const auto push_error = [](const std::string& keys) { return error_with("events: [{push: {" + keys + "}}]"); };
  EXPECT_TRUE(
      has(push_error(""),
          "events.0.push must have exactly one of force_n, impulse_n_s, force_per_weight, magnitude_n, not none"));
  EXPECT_TRUE(has(push_error("force_n: [1, 0, 0], magnitude_n: 3"), "not force_n and magnitude_n at once"));
  EXPECT_TRUE(has(push_error("force_n: [1, 0, 0], direction_deg: 3"), "'direction_deg' has no meaning without it"));
  EXPECT_TRUE(has(push_error("force_n: [1, 0]"), "must be a list of 3 numbers [N], not a list of 2"));
  EXPECT_TRUE(has(push_error("force_n: [1, 0, .inf]"), "force_n.2 must be a finite number"));
  EXPECT_TRUE(has(push_error("force_n: [1e7, 0, 0]"), "force_n.0 must be at least -1e+06, at most 1e+06"));
  EXPECT_TRUE(has(push_error("impulse_n_s: 5"), "impulse_n_s must be a list of 3 numbers"));
  EXPECT_TRUE(has(push_error("force_per_weight: {x: 1}"), "force_per_weight must be a list of 3 numbers"));
  EXPECT_TRUE(has(push_error("magnitude_n: -1"), "magnitude_n must be at least 0"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, direction_deg: 400"), "direction_deg must be at least -360"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, frame: body"), "frame must be one of world, link"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, shape: sine"), "closest is 'half_sine'"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, at: middle"), "at must be com, link_com, or list of 3 numbers"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, start_s: -1"), "start_s must be at least 0"));
  EXPECT_TRUE(has(push_error("magnitude_n: 1, duration_s: 0"), "duration_s must be at least 0.001"));
}

TEST(Scenario, AWrongCheckIsAnErrorAtItsPlace) {
  const auto check_error = [](const std::string& keys) { return error_with("checks: [{" + keys + "}]"); };
  EXPECT_TRUE(has(check_error("metric: com_eror_max_m, below: 1"),
                  "f.yaml:4:19: no metric named 'com_eror_max_m'; closest is 'com_error_max_m'"));
  EXPECT_TRUE(has(check_error("metric: wall_s, below: 1"), "no metric named 'wall_s'"));
  EXPECT_TRUE(has(check_error("below: 1"), "the key 'metric' is missing in checks.0"));
  EXPECT_TRUE(has(check_error("metric: fell"), "exactly one of equals, below, above, not none"));
  EXPECT_TRUE(has(check_error("metric: fell_at_s, below: 1, above: 0"), "not below and above at once"));
  EXPECT_TRUE(has(check_error("metric: fell, below: 1"), "the metric fell is not one number: use equals"));
  EXPECT_TRUE(has(check_error("metric: fell, equals: no"), "equals must be true or false or null for the metric fell"));
  EXPECT_TRUE(has(check_error("metric: duration_s, equals: false"), "equals must be a number or null"));
  EXPECT_TRUE(has(check_error("metric: duration_s, equals: .nan"), "equals must be"));
  EXPECT_TRUE(has(check_error("metric: duration_s, below: .nan"), "below must be a finite number"));
}

TEST(Scenario, APushAfterTheEndIsNoted) {
  const Scenario scenario = parse(std::string(kSmall) + "events: [{push: {magnitude_n: 1, start_s: 2}}]\n");
  ASSERT_EQ(scenario.notes.size(), 1u);
  EXPECT_TRUE(has(scenario.notes[0], "events.0.push starts at 2 s, when the run is over (2 s)"));
}

TEST(Scenario, APathCountsFromTheFilesFolderWhenItLeadsSomewhereFromThere) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "aplomb_scenario_path";
  std::filesystem::create_directories(folder / "models");
  std::ofstream(folder / "models/mine.urdf") << "<robot/>";
  std::ofstream(folder / "s.yaml") << "scenario: s\nrobot: models/mine.urdf\nrobot_model: other.urdf\nduration_s: 1\n";
  const std::string file = (folder / "s.yaml").string();
  EXPECT_EQ(load_scenario(file).robot, (folder / "models/mine.urdf").string());
  EXPECT_EQ(load_scenario(file).robot_model, "other.urdf");
  const Override change{"robot", "models/mine.urdf"};
  EXPECT_EQ(load_scenario(file, {&change, 1}).robot, "models/mine.urdf");
  std::filesystem::remove_all(folder);
}

TEST(Scenario, FilesThatAreNotScenariosAreRefused) {
  EXPECT_TRUE(has(error_of([] { load_scenario("no_such_file.yaml"); }), "no_such_file.yaml: no such file"));
  EXPECT_TRUE(has(error_of([] { load_scenario(::testing::TempDir()); }), "is a folder"));
  EXPECT_TRUE(has(error_of([] { load_scenario("/proc/self/exe"); }), ": "));
  EXPECT_THROW(load_scenario("no_such_scenario"), UnknownName);
}

TEST(Scenario, EveryScenarioThatComesWithTheProgramLoads) {
  for (const std::string& name : scenario_names()) EXPECT_EQ(load_scenario(name).name, name);
}

TEST(Scenario, KnowsWhereItsValuesAreWritten) {
  const Scenario scenario = parse(test::kExampleScenario);
  EXPECT_EQ(scenario.place("seed").text(), "f.yaml:16:7");
  EXPECT_EQ(scenario.place("events.1.push.link").text(), "f.yaml:12:18");
  EXPECT_EQ(scenario.place("events.2.push.link").text(), "f.yaml");
  EXPECT_EQ(scenario.place("events.9.push").text(), "f.yaml");
}

}  // namespace
}  // namespace aplomb
