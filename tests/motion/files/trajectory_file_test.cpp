#include "aplomb/motion/files/trajectory_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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

/// A plan of two contacts with torques and wrenches.
MotionPlan plan_with_wrenches() {
  MotionPlan plan = small_plan();
  plan.contacts.contacts.push_back(
      {.site = ContactSite::left_foot, .link = "foot", .point = {0.0, 0.0, -0.1}, .start_s = 0.5, .end_s = 1.0});
  plan.trajectory.torque = Eigen::MatrixXd::Random(2, 4);
  plan.trajectory.wrenches = {{ContactSite::left_foot, Eigen::MatrixXd::Random(6, 4)},
                              {ContactSite::seat, Eigen::MatrixXd::Random(6, 4)}};
  for (auto& contact : plan.trajectory.wrenches) contact.wrench.row(2).array() += 2.0;
  plan.trajectory.seat_share = seat_share_of(plan.trajectory);
  return plan;
}

/// Message with which a plan is refused; empty when it is read.
std::string refusal(const std::filesystem::path& folder) {
  try {
    read_plan(folder);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(TrajectoryFile, WrenchesAndTorquesAreReadBack) {
  const test::TemporaryFolder folder;
  const MotionPlan plan = plan_with_wrenches();
  write_plan(plan, folder.path());
  const MotionPlan again = read_plan(folder.path());
  EXPECT_LT((again.trajectory.torque - plan.trajectory.torque).norm(), 1e-8);
  ASSERT_EQ(again.trajectory.wrenches.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(again.trajectory.wrenches[k].site, plan.trajectory.wrenches[k].site);
    EXPECT_LT((again.trajectory.wrenches[k].wrench - plan.trajectory.wrenches[k].wrench).norm(), 1e-8);
  }
  EXPECT_LT((again.trajectory.seat_share - plan.trajectory.seat_share).norm(), 1e-8);
  EXPECT_EQ(again.contacts.contacts.size(), 2U);
}

TEST(TrajectoryFile, SharesAreWrittenFromTheWrenches) {
  const test::TemporaryFolder folder;
  MotionPlan plan = plan_with_wrenches();
  const Eigen::VectorXd share = plan.trajectory.seat_share;
  plan.trajectory.seat_share.resize(0);
  write_plan(plan, folder.path());
  EXPECT_LT((read_plan(folder.path()).trajectory.seat_share - share).norm(), 1e-8);
}

TEST(TrajectoryFile, FilesWithoutWrenchesAreRead) {
  const test::TemporaryFolder folder;
  write_plan(small_plan(), folder.path());
  EXPECT_TRUE(read_plan(folder.path()).trajectory.wrenches.empty());
  EXPECT_EQ(read_plan(folder.path()).trajectory.torque.size(), 0);
}

TEST(TrajectoryFile, BadWrenchColumnsAreNamed) {
  const test::TemporaryFolder folder;
  write_plan(plan_with_wrenches(), folder.path());
  const std::filesystem::path file = folder.path() / "trajectory.csv";
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    std::ofstream(file) << changed;
    return refusal(folder.path());
  };
  std::string message = with("left_foot_moment_y_nm", "left_foot_moment_y");
  EXPECT_NE(message.find("'left_foot_moment_y' where a planned motion has 'left_foot_moment_y_nm'"), std::string::npos)
      << message;
  message = with("elbow_nm", "elbow_n");
  EXPECT_NE(message.find("'elbow_nm'"), std::string::npos) << message;
  message = with("left_foot_force_x_n", "left_feet_force_x_n");
  EXPECT_NE(message.find("'left_feet_force_x_n'"), std::string::npos) << message;
}

TEST(TrajectoryFile, WrenchesMustFitTheContactSchedule) {
  const test::TemporaryFolder folder;
  MotionPlan plan = plan_with_wrenches();
  plan.contacts.contacts.pop_back();
  write_plan(plan, folder.path());
  std::string message = refusal(folder.path());
  EXPECT_NE(message.find("wrench of left_foot"), std::string::npos) << message;
  plan = plan_with_wrenches();
  plan.trajectory.wrenches.pop_back();
  write_plan(plan, folder.path());
  message = refusal(folder.path());
  EXPECT_NE(message.find("seat_force_x_n to seat_moment_z_nm are missing"), std::string::npos) << message;
}

TEST(TrajectoryFile, SeveralIntervalsOfAContactAreReadBackAndMustNotOverlap) {
  const test::TemporaryFolder folder;
  MotionPlan plan = small_plan();
  plan.contacts.contacts.push_back(plan.contacts.contacts.back());
  plan.contacts.contacts.back().start_s = 0.54;
  plan.contacts.contacts.back().end_s = 0.56;
  write_plan(plan, folder.path());
  const ContactPlan again = read_plan(folder.path()).contacts;
  EXPECT_TRUE(again.is_active(ContactSite::seat, 0.52));
  EXPECT_FALSE(again.is_active(ContactSite::seat, 0.53));
  EXPECT_TRUE(again.is_active(ContactSite::seat, 0.54));
  plan.contacts.contacts.back().start_s = 0.525;
  write_plan(plan, folder.path());
  std::string message = refusal(folder.path());
  EXPECT_NE(message.find("contacts.yaml:6"), std::string::npos) << message;
  EXPECT_NE(message.find("overlaps"), std::string::npos) << message;
  plan.contacts.contacts.back().end_s = 0.4;
  write_plan(plan, folder.path());
  message = refusal(folder.path());
  EXPECT_NE(message.find("before it starts"), std::string::npos) << message;
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
