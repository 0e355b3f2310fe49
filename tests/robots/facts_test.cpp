// The totals and measures of the published sources, which docs/robots/ cites.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

struct Totals {
  const char* robot;
  double mass_kg, tolerance_kg;
  int num_joints;
};

TEST(OurRobots, HaveThePublishedMassAndNumberOfJoints) {
  constexpr Totals kTotals[] = {{"hoap3", 8.8024, 1e-9, 28},        {"coman", 28.893, 5e-4, 23},
                                {"sarcos", 62.88, 1e-9, 34},        {"sarcos_real", 93.88, 1e-9, 34},
                                {"sarcos_heavy", 124.88, 1e-9, 34}, {"balancer", 52.0, 1e-9, 18}};
  for (const Totals& expected : kTotals) {
    SCOPED_TRACE(expected.robot);
    const RobotModel model = test::our_robot(expected.robot);
    EXPECT_NEAR(model.mass(), expected.mass_kg, expected.tolerance_kg);
    EXPECT_EQ(model.num_joints(), expected.num_joints);
    EXPECT_TRUE(model.notes().empty()) << model.notes().front();  // nothing repaired, locked or guessed
  }
}

TEST(OurRobots, HaveTheirCentreOfMassAtThePublishedHeight) {
  const auto height = [](const char* name) {
    const RobotModel model = test::our_robot(name);
    return test::terms_at(model, test::zero_state(model)).com().z();
  };
  EXPECT_NEAR(height("hoap3"), 0.318, 5e-4);  // the sources round to a millimetre
  EXPECT_NEAR(height("coman"), 0.542, 5e-4);
  const RobotModel balancer = test::our_robot("balancer");
  EXPECT_NEAR(test::terms_at(balancer, balancer.posture("half_sitting")).com().z(), 0.77, 5e-3);
}

struct Length {
  const char *robot, *from, *to;  // links: their origins are the joints' centres
  double metres;
};

TEST(OurRobots, HaveThePublishedLengths) {
  constexpr Length kLengths[] = {{"hoap3", "LLEG_J3_link", "LLEG_J4_link", 0.105},
                                 {"hoap3", "LLEG_J4_link", "LLEG_J5_link", 0.105},
                                 {"hoap3", "LARM_J2_link", "LARM_J3_link", 0.111},
                                 {"hoap3", "RLEG_J1_link", "LLEG_J1_link", 0.078},
                                 {"hoap3", "RARM_J1_link", "LARM_J1_link", 0.222},
                                 {"coman", "RThighUpLeg", "RLowLeg", 0.1024 + 0.1234},
                                 {"coman", "RLowLeg", "RFootmot", 0.201},
                                 {"coman", "RThighUpLeg", "LThighUpLeg", 0.1452},
                                 {"sarcos", "left_thigh", "left_shank", 0.3817},
                                 {"sarcos", "left_shank", "left_foot", 0.3810},
                                 {"sarcos", "left_thigh", "right_thigh", 0.1778},
                                 {"sarcos", "pelvis", "torso", 0.1761},
                                 {"sarcos", "left_upper_arm", "left_forearm", 0.2577},
                                 {"sarcos", "left_forearm", "left_hand", 0.2408},
                                 {"balancer", "left_thigh", "left_shank", 0.36},
                                 {"balancer", "left_shank", "left_foot", 0.36},
                                 {"balancer", "left_upper_arm", "left_forearm", 0.26},
                                 {"balancer", "left_thigh", "right_thigh", 0.18}};
  for (const Length& expected : kLengths) {
    SCOPED_TRACE(std::string(expected.robot) + ": " + expected.from + " to " + expected.to);
    const RobotModel model = test::our_robot(expected.robot);
    const RobotState state = model.posture("half_sitting");
    const Eigen::Vector3d from = test::pose_of(model, state, expected.from).translation();
    EXPECT_NEAR((test::pose_of(model, state, expected.to).translation() - from).norm(), expected.metres, 1e-12);
  }
}

TEST(OurRobots, HaveThePublishedSoles) {
  const auto expect_sole = [](const char* robot, Side side, const Sole& expected) {
    SCOPED_TRACE(robot);
    const RobotModel model = test::our_robot(robot);
    const Sole& sole = model.description().soles[side].value();
    EXPECT_EQ(sole.x_min, expected.x_min);
    EXPECT_EQ(sole.x_max, expected.x_max);
    EXPECT_EQ(sole.y_min, expected.y_min);
    EXPECT_EQ(sole.y_max, expected.y_max);
    EXPECT_EQ(sole.z, expected.z);
  };
  for (const Side side : {kLeft, kRight}) {
    expect_sole("coman", side, {-0.07, 0.13, -0.05, 0.05, -0.09});
    expect_sole("balancer", side, {-0.09, 0.15, -0.06, 0.06, -0.08});
    for (const char* sarcos : {"sarcos", "sarcos_real", "sarcos_heavy"}) {
      expect_sole(sarcos, side, {-0.10, 0.20, -0.05, 0.05, -0.0512});
    }
  }
  expect_sole("hoap3", kLeft, {-0.0275, 0.0555, -0.0185, 0.0285, -0.040});  // 5 mm further out than in
  expect_sole("hoap3", kRight, {-0.0275, 0.0555, -0.0285, 0.0185, -0.040});
}

TEST(OurRobots, TouchTheGroundWithOneBoxUnderEachFoot) {
  for (const std::string& name : test::kOurRobots) {
    SCOPED_TRACE(name);
    const RobotModel model = test::our_robot(name);
    for (const Side side : {kLeft, kRight}) {
      const auto& shapes = model.urdf().link(model.description().roles.foot[side]).collisions;
      ASSERT_EQ(shapes.size(), 1u);
      ASSERT_EQ(shapes[0].kind, Shape::Kind::box);
      const Sole& sole = model.description().soles[side].value();
      const Eigen::Vector3d bottom =
          shapes[0].T_link_shape.translation() - 0.5 * shapes[0].size.z() * Eigen::Vector3d::UnitZ();
      EXPECT_LT((bottom - sole.centre()).norm(), 1e-12);
      EXPECT_NEAR(shapes[0].size.x(), sole.x_max - sole.x_min, 1e-12);
      EXPECT_NEAR(shapes[0].size.y(), sole.y_max - sole.y_min, 1e-12);
    }
  }
}

TEST(Coman, BendsItsWaistSidewaysAboutAnAxisThatRisesBy20Degrees) {
  const RobotModel model = test::our_robot("coman");
  const Eigen::Vector3d& axis = model.joints()[static_cast<std::size_t>(model.joint("WaistLat"))].axis;
  EXPECT_NEAR(std::atan2(axis.z(), axis.x()), 20 * kDegree, 1e-6);
}

TEST(Coman, KeepsTheFramesOfItsSource) {
  const RobotModel model = test::our_robot("coman");
  const RobotState state = test::zero_state(model);
  const auto offset = [&](const char* from, const char* to) -> Eigen::Vector3d {
    return test::pose_of(model, state, to).translation() - test::pose_of(model, state, from).translation();
  };
  EXPECT_LT((offset("LFoot", "l_sole") - Eigen::Vector3d(0, 0, -0.090)).norm(), 1e-12);
  EXPECT_LT((offset("RFoot", "r_leg_ft") - Eigen::Vector3d(0, 0, -0.065)).norm(), 1e-12);
  EXPECT_LT((offset("Waist", "imu_link") - Eigen::Vector3d(-0.072, -0.0068, 0.044)).norm(), 1e-12);
  EXPECT_LT((offset("LElb", "LForearm") - Eigen::Vector3d(-0.015, 0, -0.05)).norm(), 1e-12);
  EXPECT_LT((offset("RElb", "r_wrist") - Eigen::Vector3d(-0.015, 0, -0.22)).norm(), 1e-12);
  EXPECT_LT((offset("DWYTorso", "torso") - Eigen::Vector3d(-0.01498, 0, 0.15771)).norm(), 1e-12);
}

}  // namespace
}  // namespace aplomb
