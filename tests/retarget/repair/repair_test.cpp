// A repaired motion is judged by the same grade as the motion with its faults.
#include "aplomb/retarget/repair/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/formats/motion_file.hpp"
#include "aplomb/motion/grade/grade.hpp"
#include "recording/test_data.hpp"
#include "support/thrown.hpp"

namespace aplomb::test {
namespace {

constexpr double kRate = 50.0;
constexpr int kFrames = 100;

class Repair : public testing::Test {
 protected:
  RobotMotion standing(const std::function<void(double, Eigen::VectorXd&)>& change = {}) const {
    RobotMotion motion{.rate_hz = kRate, .q = Eigen::MatrixXd(robot_.nq(), kFrames)};
    for (int i = 0; i < kFrames; ++i) {
      Eigen::VectorXd q = robot_.posture("half_sitting").q;
      if (change) change(i / kRate, q);
      motion.q.col(i) = q;
    }
    return motion;
  }
  static double number(const MotionGrade& grade, const char* name) { return grade.metrics.number(name).value_or(-1.0); }
  int joint(const char* part) const {
    for (int i = 0; i < robot_.num_joints(); ++i) {
      if (robot_.joints()[static_cast<std::size_t>(i)].name.find(part) != std::string::npos) return i;
    }
    return -1;
  }

  const RobotModel robot_ = RobotModel::load("coman");
};

TEST_F(Repair, AGoodMotionIsHardlyChanged) {
  const RepairedMotion repaired = repair_motion(robot_, standing());
  EXPECT_LT(repaired.body_change_max_m, 1e-3);
  EXPECT_TRUE(repaired.unmended.empty());
}

TEST_F(Repair, FloatingAndSlidingFeetStandStillOnTheFloor) {
  const RobotMotion motion = standing([](double t, Eigen::VectorXd& q) {
    q[2] += 0.02;
    q[0] += 0.04 * std::sin(4.0 * t);
  });
  const MotionGrade before = grade_motion(robot_, motion);
  ASSERT_EQ(number(before, "floating_ratio"), 1.0);
  ASSERT_GT(number(before, "sliding_ratio"), 0.3);
  const RepairedMotion repaired = repair_motion(robot_, motion);
  const MotionGrade after = grade_motion(robot_, repaired.motion);
  EXPECT_EQ(number(after, "floating_ratio"), 0.0);
  EXPECT_EQ(number(after, "sliding_ratio"), 0.0);
  EXPECT_LT(number(after, "sliding_max_m_per_s"), 1e-3);
  EXPECT_EQ(number(after, "penetration_ratio"), 0.0);
  EXPECT_LT(repaired.body_change_mean_m, 0.04);
}

TEST_F(Repair, TheZmpComesBackBetweenTheFeet) {
  // The trunk leans forwards and backwards on still feet, too fast for soles 0.2 m long.
  const int hips[] = {joint("LHipSag"), joint("RHipSag")};
  ASSERT_GE(hips[0], 0);
  const RobotMotion motion = standing([&](double t, Eigen::VectorXd& q) {
    const double lean = 0.35 * std::sin(10.0 * t);
    q.segment<4>(3) = Eigen::Quaterniond(Eigen::AngleAxisd(lean, Eigen::Vector3d::UnitY())).coeffs();
    for (const int hip : hips) q[7 + hip] -= lean;
  });
  const MotionGrade before = grade_motion(robot_, motion);
  ASSERT_GT(number(before, "zmp_outside_ratio"), 0.2);
  const MotionGrade after = grade_motion(robot_, repair_motion(robot_, motion).motion);
  EXPECT_LT(number(after, "zmp_outside_ratio"), 0.02);
  EXPECT_EQ(number(after, "sliding_ratio"), 0.0);
}

TEST_F(Repair, RangesAreKeptAndALimitThatIsLeftByFarIsNamed) {
  const int elbow = joint("LElbj");
  ASSERT_GE(elbow, 0);
  const Joint& of = robot_.joints()[static_cast<std::size_t>(elbow)];
  const RobotMotion motion =
      standing([&](double t, Eigen::VectorXd& q) { q[7 + elbow] = of.upper + 0.5 * std::sin(3.0 * t); });
  const RepairedMotion repaired = repair_motion(robot_, motion);
  EXPECT_LE(repaired.motion.q.row(7 + elbow).maxCoeff(), of.upper + 1e-9);
  EXPECT_EQ(number(grade_motion(robot_, repaired.motion), "joint_range_ratio"), 0.0);
  EXPECT_TRUE(std::ranges::any_of(repaired.unmended,
                                  [&](const std::string& line) { return line.find(of.name) != std::string::npos; }));
}

TEST_F(Repair, AMotionFarAboveTheFloorIsPutOnIt) {
  const RepairedMotion repaired = repair_motion(robot_, standing([](double, Eigen::VectorXd& q) { q[2] += 0.4; }));
  EXPECT_EQ(number(grade_motion(robot_, repaired.motion), "floating_ratio"), 0.0);
  ASSERT_FALSE(repaired.changes.empty());
  EXPECT_TRUE(has(repaired.changes.front(), "-0.400 m"));
}

TEST_F(Repair, AMotionOnItsBackIsRefused) {
  const RobotMotion motion = standing([](double, Eigen::VectorXd& q) {
    q.segment<4>(3) = Eigen::Quaterniond(Eigen::AngleAxisd(1.5, Eigen::Vector3d::UnitY())).coeffs();
  });
  EXPECT_TRUE(has(error_of([&] { repair_motion(robot_, motion); }), "pitches"));
}

TEST(RepairOfPublishedMotions, MendsFeetAndZmp) {
  const std::filesystem::path folder = data_folder() / "g1_motions";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there: set APLOMB_TEST_DATA";
  std::optional<RobotModel> robot;
  try {
    robot.emplace(RobotModel::load("g1"));
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  for (const char* name : {"J_ShortDance16_JazzWalk.csv", "M_ShortMove14.csv"}) {
    SCOPED_TRACE(name);
    const RobotMotion motion = read_motion(folder / name, *robot).motion;
    const MotionGrade before = grade_motion(*robot, motion);
    const RepairedMotion repaired = repair_motion(*robot, motion);
    const MotionGrade after = grade_motion(*robot, repaired.motion);
    EXPECT_LE(*after.metrics.number("floating_ratio"), 0.01);
    EXPECT_LE(*after.metrics.number("sliding_ratio"), 0.01);
    EXPECT_LE(*after.metrics.number("zmp_outside_ratio"), 0.4 * *before.metrics.number("zmp_outside_ratio"));
    EXPECT_LE(repaired.body_change_mean_m, 0.035);
  }
}

}  // namespace
}  // namespace aplomb::test
