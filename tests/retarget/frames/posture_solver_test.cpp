#include "aplomb/retarget/frames/posture_solver.hpp"

#include <gtest/gtest.h>

#include "retarget/own_demonstrator.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

class PostureSolverTest : public testing::Test {
 protected:
  RobotModel robot = RobotModel::load("sarcos_real");
  test::OwnDemonstrator demonstrator{robot};
  PostureSolver solver{robot, demonstrator.markers, demonstrator.rows, {}, {}};
  std::mt19937 engine{1};
};

TEST_F(PostureSolverTest, RecoversTheMotionOfItsOwnRobot) {
  Eigen::VectorXd q = demonstrator.posture(0.0);
  double square = 0.0;
  solver.pull_weight.setConstant(1e-6);
  for (int frame = 0; frame <= 200; ++frame) {
    const Eigen::VectorXd truth = demonstrator.posture(frame / 200.0);
    demonstrator.ask(truth, 0.0, engine, solver);
    solver.pull = q.tail(robot.num_joints());
    ASSERT_TRUE(solver.solve(q).converged) << frame;
    square += (q - truth).tail(robot.num_joints()).squaredNorm() / (201.0 * robot.num_joints());
  }
  EXPECT_LT(std::sqrt(square), 1e-3 * std::numbers::pi / 180.0);  // asked for: 0.1 degree
}

TEST_F(PostureSolverTest, MeetsItsRowsAndBalancesItsForcesWhateverTheMarkers) {
  Eigen::VectorXd q = demonstrator.posture(0.0);
  for (int frame = 0; frame <= 200; ++frame) {
    demonstrator.ask(demonstrator.posture(frame / 200.0), 0.02, engine, solver);
    ASSERT_TRUE(solver.solve(q).converged) << frame;
    for (std::size_t row = 0; row < solver.rows.size(); ++row) ASSERT_LT(std::abs(solver.row_error(row)), 1e-8);
    ASSERT_LT(solver.stationarity(q), 1e-7) << frame;
  }
}

TEST_F(PostureSolverTest, NeedsFewStepsFromOneFrameToTheNext) {
  Eigen::VectorXd q = demonstrator.posture(0.0);
  int iterations = 0;
  for (int frame = 0; frame <= 200; ++frame) {
    demonstrator.ask(demonstrator.posture(frame / 200.0), 0.002, engine, solver);
    iterations += solver.solve(q).iterations;
  }
  EXPECT_LT(iterations / 201.0, 5.0);  // Newton's steps; Gauss's alone would need about twice as many
}

TEST_F(PostureSolverTest, StaysInsideLimitsThatTheMarkersAskToLeave) {
  Eigen::VectorXd q = demonstrator.posture(0.0);
  solver.lower = q.tail(robot.num_joints()).array() - 0.05;
  solver.upper = q.tail(robot.num_joints()).array() + 0.05;
  demonstrator.ask(demonstrator.posture(0.3), 0.0, engine, solver);
  for (std::size_t row = solver.rows.size() - 3; row < solver.rows.size(); ++row) solver.rows[row].kind = RowKind::off;
  ASSERT_TRUE(solver.solve(q).converged);
  EXPECT_LT(solver.stationarity(q), 1e-7);
  int held = 0;
  for (int i = 0; i < robot.num_joints(); ++i) {
    EXPECT_GE(q[7 + i], solver.lower[i] - 1e-9);
    EXPECT_LE(q[7 + i], solver.upper[i] + 1e-9);
    held += solver.held()[static_cast<std::size_t>(6 + i)] != 0 ? 1 : 0;
  }
  EXPECT_GT(held, 3);
}

TEST_F(PostureSolverTest, ACentreOfMassOutOfReachIsApproachedAndTheFeetStay) {
  Eigen::VectorXd q = demonstrator.posture(0.5);
  demonstrator.ask(q, 0.0, engine, solver);
  const std::size_t com = solver.rows.size() - 3;
  solver.rows[com + 2].value = 3.0;  // [m] up: legs and trunk stretch
  solver.solve(q);
  const double reached = solver.com().z();
  EXPECT_LT(reached, 1.3);
  EXPECT_GT(reached, 0.8);
  for (std::size_t row = 0; row < com; ++row) EXPECT_LT(std::abs(solver.row_error(row)), 1e-7);
}

TEST_F(PostureSolverTest, KeepsAHandOutOfAThigh) {
  Eigen::VectorXd q = demonstrator.posture(0.0);
  const int hand = robot.joint("left_wrist_roll") + 1, thigh = robot.joint("left_knee");
  const CapsulePair pair{.first = {.body = hand, .end = {0.0, 0.0, -0.1}, .radius = 0.03},
                         .second = {.body = thigh, .end = {0.0, 0.0, -0.3}, .radius = 0.07}};
  std::vector<RobotMarker> markers = demonstrator.markers;
  for (RobotMarker& marker : markers) marker.weight = marker.body == hand ? 100.0 : 1.0;
  PostureSolver apart(robot, markers, demonstrator.rows, {pair}, {});
  demonstrator.ask(q, 0.0, engine, apart);
  for (std::size_t row = 12; row < apart.rows.size(); ++row) apart.rows[row].kind = RowKind::off;
  // The hand's markers are wanted inside of the thigh.
  TreeKinematics tree(robot);
  tree.update(q);
  for (std::size_t i = 0; i < apart.targets.size(); ++i) {
    if (demonstrator.markers[i].body == hand) apart.targets[i] = tree.point(thigh, {0.0, 0.0, -0.15});
  }
  const auto gap = [&] {
    const auto at = [&](const Capsule& capsule, const Eigen::Vector3d& end) {
      return apart.tree().point(capsule.body, end);
    };
    const ClosestPoints closest = closest_points(at(pair.first, pair.first.begin), at(pair.first, pair.first.end),
                                                 at(pair.second, pair.second.begin), at(pair.second, pair.second.end));
    return (closest.first - closest.second).norm() - 0.1;
  };
  Eigen::VectorXd through = q;
  apart.keeps_apart = false;
  apart.solve(through);
  EXPECT_LT(gap(), -0.01);
  apart.keeps_apart = true;
  apart.solve(q);
  EXPECT_GT(gap(), -1e-6);
}

TEST_F(PostureSolverTest, AFrameDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  Eigen::VectorXd q = demonstrator.posture(0.0);
  demonstrator.ask(q, 0.01, engine, solver);
  solver.solve(q);
  demonstrator.ask(demonstrator.posture(0.1), 0.01, engine, solver);
  const test::AllocationCount allocations;
  solver.solve(q);
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
