// What happens near lost rank: exact outside the band, damped inside, no jump anywhere.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>

#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {
namespace {

constexpr double kTolerance = 1e-3;
const std::vector<HierarchyLevelSize> kSizes{{2, 0}, {3, 0}};

/// A hand at the end of three links of 0.4, 0.4 and 0.2 m, first to move at a given velocity; then a posture.
/// With the other joints at `bend` and 0 the arm is straight, and its Jacobian singular, at bend = 0.
HierarchyProblem arm(double bend) {
  const Eigen::Vector3d length(0.4, 0.4, 0.2);
  const Eigen::Vector3d angle(0.3, 0.3 + bend, 0.3 + bend);  // of each link in the plane
  HierarchyProblem problem(3, kSizes);
  for (int joint = 0; joint < 3; ++joint) {
    for (int link = joint; link < 3; ++link) {
      problem.levels[0].A(0, joint) -= length[link] * std::sin(angle[link]);
      problem.levels[0].A(1, joint) += length[link] * std::cos(angle[link]);
    }
  }
  problem.levels[0].b << 0.3, -0.2;  // partly outward, where the straight arm cannot go
  problem.levels[1].A.setIdentity();
  problem.levels[1].b << 0.5, -0.3, 0.2;
  return problem;
}

/// Two rows that are parallel at angle = 0, in different levels: neither is singular, together they are.
HierarchyProblem conflict(double angle) {
  HierarchyProblem problem(3, {{1, 0}, {1, 0}, {3, 0}});
  problem.levels[0].A << 1.0, 0.0, 0.0;
  problem.levels[0].b << 1.0;
  problem.levels[1].A << std::cos(angle), std::sin(angle), 0.0;
  problem.levels[1].b << -1.0;
  problem.levels[2].A.setIdentity();
  problem.levels[2].b << 0.5, -0.3, 0.2;
  return problem;
}

/// The largest change of the answer from one sample to the next, over a sweep that hits zero exactly.
double largest_change(TaskHierarchy& solver, const std::function<HierarchyProblem(double)>& problem, int samples) {
  double largest = 0.0;
  Eigen::VectorXd last;
  for (int i = -samples; i <= samples; ++i) {
    EXPECT_EQ(solver.solve(problem(0.1 * i / samples)), SolveStatus::solved);
    if (last.size() > 0) largest = std::max(largest, (solver.solution().x - last).norm());
    last = solver.solution().x;
  }
  return largest;
}

/// In a continuous answer the changes shrink with the step; a jump stays.
void expect_no_jump(TaskHierarchy& solver, const std::function<HierarchyProblem(double)>& problem) {
  const double coarse = largest_change(solver, problem, 20'000);
  const double fine = largest_change(solver, problem, 40'000);
  EXPECT_NEAR(fine / coarse, 0.5, 0.02);
}

TEST(TaskHierarchy, DoesNotJumpWhenAnArmPassesThroughItsStraightPosture) {
  TaskHierarchy solver(3, kSizes, {.rank_tolerance = kTolerance});
  expect_no_jump(solver, arm);
}

TEST(TaskHierarchy, DoesNotJumpWhenTwoLevelsBeginToContradict) {
  TaskHierarchy solver(3, {{1, 0}, {1, 0}, {3, 0}}, {.rank_tolerance = kTolerance});
  expect_no_jump(solver, conflict);
}

TEST(TaskHierarchy, DoesNotJumpWhenBoundsAreActiveAtTheSingularity) {
  const std::vector<HierarchyLevelSize> sizes{{0, 3}, {2, 0}, {3, 0}};
  TaskHierarchy solver(3, sizes, {.rank_tolerance = kTolerance});
  expect_no_jump(solver, [&](double bend) {
    const HierarchyProblem unbounded = arm(bend);
    HierarchyProblem problem(3, sizes);
    problem.levels[0].C.setIdentity();
    problem.levels[0].lower.setConstant(-5.0);
    problem.levels[0].upper.setConstant(5.0);
    problem.levels[1] = unbounded.levels[0];
    problem.levels[2] = unbounded.levels[1];
    return problem;
  });
}

TEST(TaskHierarchy, IsExactOutsideTheBandAndDampedInside) {
  int exact = 0;
  int damped = 0;
  for (int i = -500; i <= 500; ++i) {
    const HierarchyProblem problem = arm(2e-4 * i);
    const Eigen::MatrixXd& A = problem.levels[0].A;
    const double share = A.jacobiSvd().singularValues()[1] / A.rowwise().norm().maxCoeff() / (10.0 * kTolerance);
    if (std::abs(share - 1.0) < 1e-6 || share < 1e-9) continue;  // on the edge, at zero
    TaskHierarchy solver(3, kSizes, {.rank_tolerance = kTolerance});
    ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
    const HierarchyLevelReport& level = solver.solution().levels[0];
    EXPECT_EQ(level.rank, 2);
    EXPECT_EQ(level.damping > 0.0, share < 1.0);
    if (share < 1.0) {
      ++damped;
      EXPECT_LE(solver.solution().x.norm(), 1.2 * problem.levels[0].b.norm() / (10.0 * kTolerance) + 1.0);
    } else {
      ++exact;
      EXPECT_LT(level.residual.norm(), 1e-12);
    }
  }
  EXPECT_GT(exact, 100);
  EXPECT_GT(damped, 10);
}

TEST(TaskHierarchy, DoesNotReleaseADampedDirectionToALowerLevel) {
  HierarchyProblem problem = arm(2e-3);
  TaskHierarchy solver(3, kSizes, {.rank_tolerance = kTolerance});
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  ASSERT_GT(solver.solution().levels[0].damping, 0.0);
  const Eigen::MatrixXd rows = problem.levels[0].A.jacobiSvd(Eigen::ComputeThinV).matrixV().transpose();
  const Eigen::VectorXd decided = rows * solver.solution().x;
  const Eigen::VectorXd residual = solver.solution().levels[0].residual;
  problem.levels[1].b << -40.0, 70.0, 10.0;
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((rows * solver.solution().x - decided).norm(), 1e-10);
  EXPECT_LT((solver.solution().levels[0].residual - residual).norm(), 1e-10);
}

TEST(TaskHierarchy, ReleasesADirectionThatItNeverSawAnyRowAskFor) {
  HierarchyProblem problem = arm(0.0);
  TaskHierarchy solver(3, kSizes, {.rank_tolerance = kTolerance});
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_EQ(solver.solution().levels[0].rank, 1);
  EXPECT_EQ(solver.solution().levels[1].rank, 2);
  EXPECT_EQ(solver.solution().levels[0].damping, 0.0);
}

TEST(TaskHierarchy, HoldsADirectionThatVanishesUntilTheRowsHaveMovedOn) {
  TaskHierarchy solver(3, kSizes, {.rank_tolerance = kTolerance});
  ASSERT_EQ(solver.solve(arm(1e-5)), SolveStatus::solved);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(solver.solve(arm(0.0)), SolveStatus::solved);
    EXPECT_EQ(solver.solution().levels[0].rank, 2);
    EXPECT_GT(solver.solution().levels[0].damping, 0.0);
  }
  HierarchyProblem elsewhere = arm(0.0);
  elsewhere.levels[0].A *= -1.0;
  ASSERT_EQ(solver.solve(elsewhere), SolveStatus::solved);
  EXPECT_EQ(solver.solution().levels[0].rank, 1);
  EXPECT_EQ(solver.solution().levels[0].damping, 0.0);
}

}  // namespace
}  // namespace aplomb
