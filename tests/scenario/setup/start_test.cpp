#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

Scenario scenario_with(const std::string& keys) {
  return parse_scenario("scenario: s\nrobot: balancer\nduration_s: 1\n" + keys, "s.yaml");
}

Eigen::Isometry3d sole_pose(const RobotModel& robot, const RobotTerms& terms, int side) {
  Eigen::Isometry3d T_foot_sole = Eigen::Isometry3d::Identity();
  T_foot_sole.translation() = robot.description().soles[side]->centre();
  return terms.frame(robot.frame(robot.description().roles.foot[side])).T_world_frame * T_foot_sole;
}

TEST(Start, PutsTheSolesFlatOnTiltedSupportsAndKeepsTheComWhereItWas) {
  const RobotModel robot = RobotModel::load("balancer");
  const Start start = make_start(
      scenario_with(
          "world: {supports: [{foot: left, pitch_rad: 0.17}, {foot: right, pitch_rad: -0.17, roll_rad: 0.1}]}"),
      robot);
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(robot.posture("half_sitting"));
  const Eigen::Vector2d com_before = terms.com().head<2>();
  terms.update(start.state);
  EXPECT_LT((terms.com().head<2>() - com_before).norm(), 1e-6);
  for (int side : {kLeft, kRight}) {
    const Eigen::Isometry3d in_ground = start.world.ground_at(side, 0.0).inverse() * sole_pose(robot, terms, side);
    EXPECT_LT(in_ground.translation().norm(), 1e-6);
    EXPECT_NEAR(in_ground.linear()(2, 2), 1.0, 1e-9);
  }
}

TEST(Start, OnOneFootHasTheComAboveItsSoleAndTheOtherFootInTheAir) {
  for (const char* name : {"balancer", "coman", "sarcos", "hoap3"}) {
    const RobotModel robot = RobotModel::load(name);
    for (int side : {kLeft, kRight}) {
      const Start start =
          make_start(scenario_with(side == kLeft ? "start: {feet: left}" : "start: {feet: right}"), robot);
      RobotTerms terms(robot, sole_frames(robot));
      terms.update(start.state);
      const Eigen::Isometry3d stance = sole_pose(robot, terms, side);
      EXPECT_LT((terms.com() - stance.translation()).head<2>().norm(), 1e-6) << name;
      EXPECT_NEAR(stance.translation().z(), 0.0, 1e-6) << name;
      EXPECT_GT(sole_pose(robot, terms, 1 - side).translation().z(), 0.1 * terms.com().z()) << name;
    }
  }
}

TEST(Start, ThatNoLegCanReachIsAnError) {
  const RobotModel robot = RobotModel::load("balancer");
  EXPECT_THROW(make_start(scenario_with("start: {posture: half_sitting, joint_offset_rad: {left_knee: 0}}\n"
                                        "world: {supports: [{foot: both, roll_rad: 0.7, pitch_rad: 0.7}]}"),
                          robot),
               InvalidValue);
}

}  // namespace
}  // namespace aplomb
