// Limits of every joint, as docs/robots/ has them from their sources.
#include <gtest/gtest.h>

#include <numbers>
#include <span>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

constexpr double d = std::numbers::pi / 180.0;  ///< a degree

struct Limit {
  const char* joint;
  double lower, upper;  // [rad]
  double effort;        // [N m]
};

constexpr Limit kHoap3[] = {
    {"RLEG_J1", -90 * d, 30 * d, 1.5},  {"RLEG_J2", -30 * d, 20 * d, 2},    {"RLEG_J3", -81 * d, 70 * d, 1.5},
    {"RLEG_J4", -1 * d, 129 * d, 2},    {"RLEG_J5", -60 * d, 60 * d, 2},    {"RLEG_J6", -24 * d, 24 * d, 1.5},
    {"LLEG_J1", -30 * d, 90 * d, 1.5},  {"LLEG_J2", -20 * d, 30 * d, 2},    {"LLEG_J3", -81 * d, 70 * d, 1.5},
    {"LLEG_J4", -1 * d, 129 * d, 2},    {"LLEG_J5", -60 * d, 60 * d, 2},    {"LLEG_J6", -24 * d, 24 * d, 1.5},
    {"BODY_J1", 1 * d, 90 * d, 2},      {"RARM_J1", -60 * d, 150 * d, 1.5}, {"RARM_J2", -95 * d, 1 * d, 1.5},
    {"RARM_J3", -90 * d, 90 * d, 1.5},  {"RARM_J4", -114 * d, 1 * d, 1.5},  {"LARM_J1", -60 * d, 150 * d, 1.5},
    {"LARM_J2", -1 * d, 95 * d, 1.5},   {"LARM_J3", -90 * d, 90 * d, 1.5},  {"LARM_J4", -114 * d, 1 * d, 1.5},
    {"HEAD_J1", -60 * d, 60 * d, 0.87}, {"HEAD_J2", -45 * d, 15 * d, 0.87}, {"HEAD_J3", -15 * d, 15 * d, 0.87},
    {"RARM_J5", -60 * d, 60 * d, 0.28}, {"RARM_J6", -90 * d, 90 * d, 0.28}, {"LARM_J5", -60 * d, 60 * d, 0.28},
    {"LARM_J6", -90 * d, 90 * d, 0.28}};

constexpr Limit kComan[] = {
    {"WaistLat", -0.5236, 0.5235, 50}, {"WaistSag", -0.3491, 0.8727, 50}, {"WaistYaw", -1.3963, 1.3962, 50},
    {"RHipSag", -1.9199, 0.7854, 50},  {"RHipLat", -1.0472, 0.4363, 50},  {"RHipYaw", -0.8727, 0.8727, 50},
    {"RKneeSag", -0.1745, 1.9199, 50}, {"RAnkLat", -0.6109, 0.6109, 50},  {"RAnkSag", -1.2217, 1.2217, 50},
    {"LHipSag", -1.9199, 0.7854, 50},  {"LHipLat", -0.4363, 1.0472, 50},  {"LHipYaw", -0.8727, 0.8727, 50},
    {"LKneeSag", -0.1745, 1.9199, 50}, {"LAnkLat", -0.6109, 0.6109, 50},  {"LAnkSag", -1.2217, 1.2217, 50},
    {"RShSag", -3.4034, 1.6581, 50},   {"RShLat", -2.094, 0.31415, 50},   {"RShYaw", -1.5708, 1.5708, 50},
    {"RElbj", -2.3562, 0.0, 50},       {"LShSag", -3.4034, 1.6581, 50},   {"LShLat", -0.31415, 2.094, 50},
    {"LShYaw", -1.5708, 1.5708, 50},   {"LElbj", -2.3562, 0.0, 50}};

// The right side of these two is the left side's mirror image: symmetry_test.cpp.
constexpr Limit kSarcos[] = {{"torso_yaw", -0.8, 0.8, 200},
                             {"torso_roll", -0.4, 0.4, 200},
                             {"torso_pitch", -0.3, 0.7, 200},
                             {"neck_yaw", -1, 1, 200},
                             {"neck_roll", -0.5, 0.5, 200},
                             {"neck_pitch", -0.6, 0.8, 200},
                             {"left_shoulder_pitch", -1, 3, 200},
                             {"left_shoulder_roll", -0.3, 2, 200},
                             {"left_shoulder_yaw", -1.5, 1.5, 200},
                             {"left_elbow", 0, 2.2, 200},
                             {"left_wrist_yaw", -1.5, 1.5, 200},
                             {"left_wrist_pitch", -1, 1, 200},
                             {"left_wrist_roll", -0.5, 0.5, 200},
                             {"left_hip_pitch", -0.52, 2, 200},
                             {"left_hip_roll", -0.5, 0.8, 200},
                             {"left_hip_yaw", -0.8, 0.8, 200},
                             {"left_knee", 0, 2.09, 200},
                             {"left_ankle_yaw", -0.5, 0.5, 200},
                             {"left_ankle_pitch", -0.52, 0.52, 200},
                             {"left_ankle_roll", -0.4, 0.4, 200}};

constexpr Limit kBalancer[] = {
    {"left_hip_yaw", -1, 1, 100},       {"left_hip_roll", -1, 1, 150},     {"left_hip_pitch", -2, 1, 200},
    {"left_knee", 0, 2.4, 200},         {"left_ankle_pitch", -1, 1, 150},  {"left_ankle_roll", -0.8, 0.8, 100},
    {"left_shoulder_pitch", -3, 3, 50}, {"left_shoulder_roll", -3, 3, 50}, {"left_elbow", -3, 0, 50}};

void expect_limits(const std::string& robot, std::span<const Limit> limits, double velocity,
                   double effort_scale = 1.0) {
  const RobotModel model = test::our_robot(robot);
  for (const Limit& expected : limits) {
    SCOPED_TRACE(robot + ": " + expected.joint);
    const Joint& joint = model.joints()[static_cast<std::size_t>(model.joint(expected.joint))];
    EXPECT_NEAR(joint.lower, expected.lower, 1e-12);
    EXPECT_NEAR(joint.upper, expected.upper, 1e-12);
    EXPECT_EQ(joint.effort, effort_scale * expected.effort);
    EXPECT_EQ(joint.velocity, velocity);
  }
}

TEST(OurRobots, HaveThePublishedLimits) {
  expect_limits("hoap3", kHoap3, 6.0);
  expect_limits("coman", kComan, 4.0);
}

TEST(OurRobots, HaveTheLimitsThatTheirPagesState) {
  expect_limits("sarcos", kSarcos, 10.0);
  expect_limits("sarcos_real", kSarcos, 10.0);
  expect_limits("sarcos_heavy", kSarcos, 10.0, 320.0 / 200.0);
  expect_limits("balancer", kBalancer, 10.0);
}

TEST(OurRobots, HaveNoJointWithoutAStatedLimit) {
  EXPECT_EQ(std::size(kHoap3), 28u);
  EXPECT_EQ(std::size(kComan), 23u);
  EXPECT_EQ(std::size(kSarcos), 6u + 14u);  // torso and neck, and one side
  EXPECT_EQ(std::size(kBalancer), 9u);
}

}  // namespace
}  // namespace aplomb
