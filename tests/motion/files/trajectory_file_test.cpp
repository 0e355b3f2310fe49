#include "aplomb/motion/files/trajectory_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

MotionPlan small_plan() {
  MotionPlan plan;
  Trajectory& trajectory = plan.trajectory;
  trajectory = {
      .robot = "arm", .robot_sha256 = "abc", .joints = {"shoulder", "elbow"}, .rate_hz = 50.0, .start_s = 0.5};
  trajectory.q = Eigen::MatrixXd::Random(9, 4);
  trajectory.v = Eigen::MatrixXd::Random(8, 4);
  trajectory.a = Eigen::MatrixXd::Random(8, 4);
  trajectory.com = trajectory.com_velocity = trajectory.com_acceleration = Eigen::MatrixXd::Random(3, 4);
  trajectory.force = Eigen::MatrixXd::Random(3, 4);
  trajectory.zmp = Eigen::MatrixXd::Random(2, 4);
  trajectory.seat_share = Eigen::VectorXd::Random(4);
  plan.contacts.chair_height_m = 0.45;
  plan.contacts.contacts.push_back(
      {.site = ContactSite::seat, .link = "pelvis", .point = {0.1, 0.0, -0.2}, .start_s = 0.5, .end_s = 0.53});
  return plan;
}

TEST(TrajectoryFile, WhatIsReadBackIsWhatWasWritten) {
  const test::TemporaryFolder folder;
  const MotionPlan plan = small_plan();
  write_plan(plan, folder.path());
  const MotionPlan again = read_plan(folder.path());
  EXPECT_EQ(again.trajectory.joints, plan.trajectory.joints);
  EXPECT_EQ(again.trajectory.robot, "arm");
  EXPECT_EQ(again.trajectory.robot_sha256, "abc");
  EXPECT_NEAR(again.trajectory.rate_hz, 50.0, 1e-6);
  EXPECT_LT((again.trajectory.q - plan.trajectory.q).norm(), 1e-8);
  EXPECT_LT((again.trajectory.a - plan.trajectory.a).norm(), 1e-8);
  EXPECT_LT((again.trajectory.zmp - plan.trajectory.zmp).norm(), 1e-8);
  EXPECT_LT((again.trajectory.seat_share - plan.trajectory.seat_share).norm(), 1e-8);
  EXPECT_EQ(again.trajectory.com_person.cols(), 0);
  EXPECT_EQ(again.contacts.contacts.at(0).link, "pelvis");
  EXPECT_TRUE(again.contacts.is_active(ContactSite::seat, 0.51));
  EXPECT_FALSE(again.contacts.is_active(ContactSite::seat, 0.55));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "trajectory.npz"));
}

TEST(TrajectoryFile, AnUnknownContactIsRefusedWithTheNearestName) {
  const test::TemporaryFolder folder;
  write_plan(small_plan(), folder.path());
  std::ofstream(folder.path() / "contacts.yaml")
      << "robot: r\nrobot_sha256: ''\nchair_height_m: 0.4\ncontacts:\n"
         "  - {name: left_feet, link: pelvis, point_m: [0, 0, 0], start_s: 0, end_s: 1}\n";
  try {
    read_plan(folder.path());
    FAIL() << "an unknown contact was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("contacts.yaml:5"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("'left_foot'"), std::string::npos) << error.what();
  }
}

TEST(TrajectoryFile, OptionalColumnsAreReadBack) {
  const test::TemporaryFolder folder;
  for (const bool has_hands : {false, true}) {
    for (const bool has_person : {false, true}) {
      MotionPlan plan = small_plan();
      if (has_hands) plan.trajectory.hand_share = Eigen::MatrixXd::Random(2, 4);
      if (has_person) plan.trajectory.com_person = Eigen::MatrixXd::Random(3, 4);
      write_plan(plan, folder.path());
      const MotionPlan again = read_plan(folder.path());
      ASSERT_EQ(again.trajectory.hand_share.cols(), has_hands ? 4 : 0);
      ASSERT_EQ(again.trajectory.com_person.cols(), has_person ? 4 : 0);
      EXPECT_LT((again.trajectory.hand_share - plan.trajectory.hand_share).norm(), 1e-8);
      EXPECT_LT((again.trajectory.com_person - plan.trajectory.com_person).norm(), 1e-8);
      EXPECT_LT((again.trajectory.seat_share - plan.trajectory.seat_share).norm(), 1e-8);
    }
  }
}

TEST(TrajectoryFile, ADamagedFileIsRefusedWithItsLine) {
  const test::TemporaryFolder folder;
  write_plan(small_plan(), folder.path());
  const std::filesystem::path file = folder.path() / "trajectory.csv";
  std::ofstream(file, std::ios::app) << "1,2,3\n";
  try {
    read_plan(folder.path());
    FAIL() << "a short line was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("trajectory.csv:6"), std::string::npos) << error.what();
  }
  std::ofstream(file) << "time_s,base_x\n0,1\n";
  EXPECT_THROW(read_plan(folder.path()), FileError);
}

}  // namespace
}  // namespace aplomb
