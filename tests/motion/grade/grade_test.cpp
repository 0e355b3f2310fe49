// The grade on motions whose faults are known: each breaks one rule, and the figure is what physics says.
#include "aplomb/motion/grade/grade.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "support/thrown.hpp"

namespace aplomb::test {
namespace {

constexpr double kRate = 100.0;
constexpr int kFrames = 200;

/// Two seconds in the half-sitting posture, changed by `change` at every time.
RobotMotion standing(const RobotModel& robot, const std::function<void(double, Eigen::VectorXd&)>& change = {}) {
  const RobotState state = robot.posture("half_sitting");
  RobotMotion motion{.rate_hz = kRate, .q = Eigen::MatrixXd(robot.nq(), kFrames)};
  for (int i = 0; i < kFrames; ++i) {
    Eigen::VectorXd q = state.q;
    if (change) change(i / kRate, q);
    motion.q.col(i) = q;
  }
  return motion;
}

class Grade : public testing::Test {
 protected:
  double number(const MotionGrade& grade, const char* name) { return grade.metrics.number(name).value_or(-1.0); }
  const RobotModel robot_ = RobotModel::load("coman");
};

TEST_F(Grade, AStandingRobotHasAnA) {
  const MotionGrade grade = grade_motion(robot_, standing(robot_));
  EXPECT_EQ(grade.grade, 'A');
  EXPECT_TRUE(grade.worst.empty());
  for (const char* ratio : {"floating_ratio", "penetration_ratio", "sliding_ratio", "zmp_outside_ratio", "torque_ratio",
                            "impossible_flight_ratio", "joint_range_ratio", "self_collision_ratio", "flight_ratio"}) {
    EXPECT_EQ(number(grade, ratio), 0.0) << ratio;
  }
}

TEST_F(Grade, AtRestTheZmpIsUnderTheCentreOfMassAndTorquesAreStatic) {
  const RobotMotion motion = standing(robot_);
  const MotionGrade grade = grade_motion(robot_, motion);
  const std::vector<FrameId> feet = sole_frames(robot_);
  RobotTerms terms(robot_, feet);
  terms.update({.q = motion.q.col(0), .v = Eigen::VectorXd::Zero(robot_.nv())});
  const std::size_t row = kFrames / 2;
  EXPECT_NEAR(grade.log.at(row, grade.log.index("zmp_x_m")), terms.com().x(), 1e-6);
  EXPECT_NEAR(grade.log.at(row, grade.log.index("zmp_y_m")), terms.com().y(), 1e-6);
  EXPECT_NEAR(grade.log.at(row, grade.log.index("force_z_n")), robot_.mass() * kGravity, 1e-6);
  StaticTorque statics(robot_);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  double largest = 0.0;
  for (int i = 0; i < robot_.num_joints(); ++i) {
    const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
    if (std::isfinite(joint.effort) && joint.effort > 0.0)
      largest = std::max(largest, std::abs(torque[i]) / joint.effort);
  }
  EXPECT_NEAR(number(grade, "torque_max_ratio"), largest, 1e-3);
}

TEST_F(Grade, AFootAboveTheFloorFloats) {
  const MotionGrade grade = grade_motion(robot_, standing(robot_, [](double, Eigen::VectorXd& q) { q[2] += 0.03; }));
  EXPECT_EQ(number(grade, "floating_ratio"), 1.0);
  EXPECT_NEAR(number(grade, "floating_max_m"), 0.03, 1e-6);
  EXPECT_EQ(grade.grade, 'E');
}

TEST_F(Grade, AFootInTheFloorPenetrates) {
  const MotionGrade grade = grade_motion(robot_, standing(robot_, [](double, Eigen::VectorXd& q) { q[2] -= 0.02; }));
  EXPECT_EQ(number(grade, "penetration_ratio"), 1.0);
  EXPECT_NEAR(number(grade, "penetration_max_m"), 0.02, 1e-6);
}

TEST_F(Grade, AMovingSoleSlides) {
  const MotionGrade grade =
      grade_motion(robot_, standing(robot_, [](double t, Eigen::VectorXd& q) { q[0] += 0.2 * t; }));
  EXPECT_EQ(number(grade, "sliding_ratio"), 1.0);
  EXPECT_NEAR(number(grade, "sliding_max_m_per_s"), 0.2, 1e-6);
  EXPECT_NEAR(number(grade, "slide_in_one_stance_max_m"), 0.2 * (kFrames - 1) / kRate, 1e-6);
  EXPECT_NEAR(number(grade, "base_drift_max_m"), 0.2 * kFrames / kRate, 1e-6);
  EXPECT_NEAR(number(grade, "toe_skating_max_m_per_s"), 0.2, 1e-6);
  EXPECT_EQ(number(grade, "toe_skating_ratio"), 0.0);  // 0.3 m/s there
  EXPECT_EQ(grade.log.at(kFrames / 2, grade.log.index("left_offends")), 1.0);
  ASSERT_FALSE(grade.worst.empty());
  EXPECT_TRUE(has(grade.worst.front().text, "foot slides"));
}

TEST_F(Grade, ToesOfAFootThatTurnsOnTheSpotSkate) {
  // Feet turn about the base at 2 rad/s: the centres of the soles slowly, the toes fast.
  const MotionGrade grade = grade_motion(
      robot_, standing(robot_, [](double t, Eigen::VectorXd& q) { q[5] = std::sin(t), q[6] = std::cos(t); }));
  EXPECT_GT(number(grade, "toe_skating_max_m_per_s"), number(grade, "sliding_max_m_per_s"));
  EXPECT_LT(number(grade, "base_drift_max_m"), 0.06);  // the feet move against each other
}

TEST_F(Grade, HoveringIsNotFlightAndFallingIs) {
  const MotionGrade hovering = grade_motion(robot_, standing(robot_, [](double, Eigen::VectorXd& q) { q[2] += 0.5; }));
  EXPECT_EQ(number(hovering, "impossible_flight_ratio"), 1.0);
  EXPECT_EQ(number(hovering, "flight_ratio"), 0.0);
  const MotionGrade falling = grade_motion(
      robot_, standing(robot_, [](double t, Eigen::VectorXd& q) { q[2] += 40.0 - 0.5 * kGravity * t * t; }));
  EXPECT_GT(number(falling, "flight_ratio"), 0.7);  // at the ends the filter reflects the motion
  EXPECT_LT(number(falling, "impossible_flight_ratio"), 0.3);
}

TEST_F(Grade, AccelerationMovesTheZmpOut) {
  // 5 m/s^2 at a CoM height of about 0.45 m needs a ZMP 0.23 m behind: outside of a sole 0.2 m long.
  const MotionGrade grade = grade_motion(robot_, standing(robot_, [](double t, Eigen::VectorXd& q) {
                                           q[0] += 0.02 * std::sin(2.0 * 3.14159265 * 2.5 * t);
                                         }));
  EXPECT_GT(number(grade, "zmp_outside_ratio"), 0.2);
}

TEST_F(Grade, JointsBeyondRangeAndSpeedAreNamed) {
  const int knee = 0;
  const Joint& joint = robot_.joints()[knee];
  const MotionGrade beyond =
      grade_motion(robot_, standing(robot_, [&](double, Eigen::VectorXd& q) { q[7 + knee] = joint.upper + 0.2; }));
  EXPECT_EQ(number(beyond, "joint_range_ratio"), 1.0);
  EXPECT_NEAR(number(beyond, "joint_range_max_rad"), 0.2, 1e-9);
  const bool is_named = std::ranges::any_of(
      beyond.worst, [&](const WorstMoment& moment) { return moment.text.find(joint.name) != std::string::npos; });
  EXPECT_TRUE(is_named);
}

TEST_F(Grade, ARobotWithoutSolesIsRefused) {
  RobotDescription bare = robot_.description();
  bare.soles = {};
  const RobotModel footless(robot_.urdf(), bare);
  EXPECT_TRUE(has(error_of([&] { grade_motion(footless, standing(robot_)); }), "sole"));
}

TEST(GradeLetter, FollowsTheFractionOfFrames) {
  EXPECT_EQ(grade_letter(0.0), 'A');
  EXPECT_EQ(grade_letter(0.01), 'A');
  EXPECT_EQ(grade_letter(0.03), 'B');
  EXPECT_EQ(grade_letter(0.1), 'C');
  EXPECT_EQ(grade_letter(0.3), 'D');
  EXPECT_EQ(grade_letter(1.0), 'E');
  EXPECT_GT(grade_points('A'), grade_points('B'));
}

}  // namespace
}  // namespace aplomb::test
