#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aplomb/retarget/frames/planned_forces.hpp"
#include "aplomb/retarget/frames/return_to_rest.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

TEST(PlannedForces, AtRestTheZmpIsBelowTheCentreOfMass) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const Eigen::MatrixXd q = robot.posture("half_sitting").q.replicate(1, 20);
  const PlannedForces plan = planned_forces(robot, q, 100.0);
  EXPECT_LT((plan.zmp - plan.com.topRows<2>()).norm(), 1e-12);
  EXPECT_NEAR(plan.force(2, 10), robot.mass() * kGravity, 1e-9);
}

TEST(PlannedForces, ARobotThatShakesAsOneHasTheZmpOfAPendulum) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  Eigen::MatrixXd q = robot.posture("half_sitting").q.replicate(1, 200);
  const double w = 2.0 * std::numbers::pi;
  for (Eigen::Index i = 0; i < 200; ++i) q(0, i) += 0.02 * std::sin(w * static_cast<double>(i) / 100.0);
  const PlannedForces plan = planned_forces(robot, q, 100.0);
  for (Eigen::Index i = 20; i < 180; ++i) {
    const double a = -0.02 * w * w * std::sin(w * static_cast<double>(i) / 100.0);
    EXPECT_NEAR(plan.zmp(0, i), plan.com(0, i) - plan.com(2, i) * a / kGravity, 1e-5);
  }
}

TEST(ReturnToRest, ContinuesHeightAndSpeedAndEndsAtRest) {
  constexpr Eigen::Index kBegin = 50, kEnd = 90, kCount = 120;
  Eigen::Matrix3Xd signals = Eigen::Matrix3Xd::Constant(3, kCount, 7.0);
  for (Eigen::Index i = 0; i < kBegin; ++i) {
    signals.col(i) = Eigen::Vector3d(0.02, 0.0, -0.01) + static_cast<double>(i) * Eigen::Vector3d(0.0, 0.001, -0.002);
  }
  return_to_rest(kBegin, kEnd, signals);
  for (Eigen::Index i = kBegin - 2; i < kCount - 1; ++i) {
    const Eigen::Vector3d bend = signals.col(i + 1) - 2.0 * signals.col(i) + signals.col(i - 1);
    EXPECT_LT(bend.norm(), 1e-3) << i;  // a jump of speed would be 2e-3, one of height 0.1
  }
  EXPECT_TRUE(signals.rightCols(kCount - kEnd).isZero(0.0));
}

}  // namespace
}  // namespace aplomb
