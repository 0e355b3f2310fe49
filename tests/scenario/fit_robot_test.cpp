#include "aplomb/scenario/fit_robot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

/// Two boxes and a hinge: 3 kg in all, with a trunk but neither pelvis, head nor hands.
RobotModel two_boxes() {
  constexpr const char* kUrdf = R"(<robot name="two_boxes">
    <link name="lower"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="hinge" type="revolute"><parent link="lower"/><child link="upper"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";
  RobotDescription description;
  description.name = "two_boxes";
  description.roles.trunk = "upper";
  description.postures["straight"] = {};
  return RobotModel(parse_urdf(kUrdf, "two_boxes.urdf"), description);
}

Scenario scenario_with(const std::string& lines) {
  return parse_scenario("scenario: s\nrobot: r\nduration_s: 9\n" + lines + "\n", "f.yaml");
}
FittedEvents fitted(const std::string& push) {
  return fit_events(scenario_with("events: [{push: {" + push + "}}]"), two_boxes());
}

/// ∫ F dt by the mid-point rule, whose error is O(dt²).
Eigen::Vector3d impulse_of(const Push& push) {
  constexpr double kStep = 1e-5;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (double t = 0.5 * kStep; t < push.start_s + push.duration_s + 0.1; t += kStep) sum += kStep * push.force_at(t);
  return sum;
}

TEST(FitPushes, AForceIsThePeakForce) {
  const Push push =
      fitted("force_n: [1, -2, 3], start_s: 1, duration_s: 0.2, at: [0, 0, 0.5], frame: link").events.pushes.at(0);
  EXPECT_EQ(push.peak_force, Eigen::Vector3d(1, -2, 3));
  EXPECT_EQ(push.start_s, 1.0);
  EXPECT_EQ(push.duration_s, 0.2);
  EXPECT_EQ(push.point_in_link, Eigen::Vector3d(0, 0, 0.5));
  EXPECT_EQ(push.frame, Push::Frame::link);
}

TEST(FitPushes, AnImpulseIsTheIntegralOfTheForceWhateverItsShape) {
  for (const char* shape : {"box", "half_sine"}) {
    const std::string keys = std::string("impulse_n_s: [6, 0, -3], start_s: 0.3, duration_s: 0.25, shape: ") + shape;
    EXPECT_LT((impulse_of(fitted(keys).events.pushes.at(0)) - Eigen::Vector3d(6, 0, -3)).norm(), 2e-3) << shape;
  }
}

TEST(FitPushes, AForcePerWeightIsAPartOfTheWeight) {
  EXPECT_LT(
      (fitted("force_per_weight: [0.5, 0, 0]").events.pushes.at(0).peak_force - Eigen::Vector3d(1.5 * kGravity, 0, 0))
          .norm(),
      1e-9);
}

TEST(FitPushes, ALinkIsARoleOrALinksName) {
  EXPECT_EQ(fitted("magnitude_n: 1, link: trunk").events.pushes.at(0).link, "upper");
  EXPECT_EQ(fitted("magnitude_n: 1, link: lower").events.pushes.at(0).link, "lower");
  EXPECT_TRUE(fitted("magnitude_n: 1, link: lower").notes.empty());
  EXPECT_TRUE(
      has(error_of([] { fitted("magnitude_n: 1, link: uper"); }),
          "f.yaml:4:40: events.0.push.link: no role or link named 'uper' in robot two_boxes; closest is 'upper'"));
}

TEST(FitPushes, ARoleThatTheRobotLacksIsReplacedByTheNextBestAndNoted) {
  const FittedEvents head = fitted("magnitude_n: 1, link: head");
  EXPECT_EQ(head.events.pushes.at(0).link, "upper");
  ASSERT_EQ(head.notes.size(), 1u);
  EXPECT_TRUE(has(head.notes[0], "robot two_boxes has no head; 'upper' is taken instead"));
  EXPECT_EQ(fitted("magnitude_n: 1, link: pelvis").events.pushes.at(0).link, "lower");  // the base
  EXPECT_TRUE(has(error_of([] { fitted("magnitude_n: 1, link: left_hand"); }), "robot two_boxes has no such role"));
}

TEST(FitPushes, ALinkThatMovesWithoutMassIsNoBody) {
  constexpr const char* kUrdf = R"(<robot name="universal">
    <link name="lower"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="cross"/>
    <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="pitch" type="revolute"><parent link="lower"/><child link="cross"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
    <joint name="roll" type="revolute"><parent link="cross"/><child link="upper"/><axis xyz="1 0 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";
  const RobotModel robot(parse_urdf(kUrdf, "universal.urdf"), {});
  const Scenario pushed = scenario_with("events: [{push: {magnitude_n: 1, link: cross}}]");
  EXPECT_TRUE(
      has(error_of([&] { fit_events(pushed, robot); }), "moves, and has no mass; name 'upper', which it carries"));
}

TEST(CheckStart, NamesThePostureOrTheJointThatTheRobotLacks) {
  const RobotModel robot = two_boxes();
  EXPECT_NO_THROW(check_start(scenario_with("start: {posture: straight, joint_offset_rad: {hinge: 0.1}}"), robot));
  EXPECT_TRUE(has(error_of([&] { check_start(scenario_with("start: {posture: strait}"), robot); }),
                  "f.yaml:4:18: start.posture: no posture named 'strait' in robot two_boxes; closest is 'straight'"));
  EXPECT_TRUE(has(error_of([&] { check_start(scenario_with(""), robot); }), "no posture named 'half_sitting'"));
  EXPECT_TRUE(has(
      error_of([&] { check_start(scenario_with("start: {posture: straight, joint_offset_rad: {hing: 0.1}}"), robot); }),
      "no joint named 'hing' in robot two_boxes; closest is 'hinge'"));
  EXPECT_TRUE(has(error_of([&] {
                    check_start(scenario_with("start: {posture: straight, joint_offset_rad: {hinge: 1.5}}"), robot);
                  }),
                  "start.joint_offset_rad.hinge: 1.5 puts the joint at 1.5, outside of its limits -1 to 1"));
}

TEST(CheckStart, OfARobotWithoutPosturesSaysWhereTheyComeFrom) {
  RobotDescription bare;
  bare.name = "bare";
  const RobotModel robot(two_boxes().urdf(), bare);
  EXPECT_TRUE(has(error_of([&] { check_start(scenario_with(""), robot); }),
                  "robot bare has no postures to start in; `aplomb info two_boxes.urdf --write-yaml two_boxes.yaml`"));
  bare.file = "mine.yaml";
  const RobotModel described(two_boxes().urdf(), bare);
  EXPECT_TRUE(has(error_of([&] { check_start(scenario_with(""), described); }),
                  "robot bare has no postures to start in; write postures.half_sitting into mine.yaml"));
}

}  // namespace
}  // namespace aplomb
