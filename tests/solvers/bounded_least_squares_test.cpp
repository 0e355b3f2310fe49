#include "aplomb/solvers/bounded_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/solvers/optimality.hpp"
#include "solvers/problems.hpp"
#include "solvers/random_problems.hpp"
#include "solvers/random_source.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(BoundedLeastSquares, MovesAnInadmissibleOptimumToTheBound) {
  // |x − 3|² + |y + 1|² with x ≤ 2, y ≥ 0: (2, 0), pulled by −1 and by 1.
  BoundedLeastSquaresProblem problem(2, 2);
  problem.A.setIdentity();
  problem.b << 3.0, -1.0;
  problem.upper[0] = 2.0;
  problem.lower[1] = 0.0;
  BoundedLeastSquares solver(2, 2);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_EQ(solver.solution().x, Eigen::Vector2d(2.0, 0.0));
  EXPECT_EQ(solver.solution().state[0], BoundState::at_upper);
  EXPECT_EQ(solver.solution().state[1], BoundState::at_lower);
  EXPECT_EQ(solver.solution().bound_multipliers, Eigen::Vector2d(-1.0, 1.0));
}

TEST(BoundedLeastSquares, SaysWhichEqualityGaveWayAndByHowMuch) {
  // x + y = 1 can be met. x = 5 contradicts x ≤ 2: three are missing in row 1, and row 0 pays nothing for it.
  BoundedLeastSquaresProblem problem(0, 2, 2);
  problem.C << 1.0, 1.0, 1.0, 0.0;
  problem.d << 1.0, 5.0;
  problem.upper[0] = 2.0;
  BoundedLeastSquares solver(0, 2, 2);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_NEAR(solver.solution().equality_residual[0], 0.0, 1e-14);
  EXPECT_NEAR(solver.solution().equality_residual[1], -3.0, 1e-14);
  EXPECT_NEAR(solver.solution().x[1], -1.0, 1e-14);
}

TEST(BoundedLeastSquares, MeetsContradictingEqualitiesInTheLeastSquaresSenseBeforeTheObjective) {
  // x = 1 and x = 2: the middle, however loudly the objective asks for x = 100; y is its own to choose.
  BoundedLeastSquaresProblem problem(2, 2, 2);
  problem.A = 1e6 * Eigen::Matrix2d::Identity();
  problem.b << 1e8, 7e6;
  problem.C << 1.0, 0.0, 1.0, 0.0;
  problem.d << 1.0, 2.0;
  BoundedLeastSquares solver(2, 2, 2);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_NEAR(solver.solution().x[0], 1.5, 1e-13);
  EXPECT_NEAR(solver.solution().x[1], 7.0, 1e-13);
  EXPECT_NEAR(solver.solution().equality_residual[0], 0.5, 1e-13);
  EXPECT_NEAR(solver.solution().equality_residual[1], -0.5, 1e-13);
}

TEST(BoundedLeastSquares, FindsThePointThatNonNegativeDataWereMadeFrom) {
  test::RandomSource random(5);
  BoundedLeastSquaresProblem problem(10, 6);
  random.fill(problem.A);
  Eigen::VectorXd truth(6);
  truth << 0.0, 1.0, 0.0, 2.0, 0.5, 0.0;
  problem.b = problem.A * truth;
  problem.lower.setZero();
  BoundedLeastSquares solver(10, 6);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - truth).norm(), 1e-14);
}

TEST(BoundedLeastSquares, KeepsTheDigitsThatNormalEquationsLose) {
  // Condition 1e10: an exact method may lose 10 of 16 digits, normal equations square that and lose all.
  test::RandomSource random(6);
  Eigen::MatrixXd left(20, 20);
  Eigen::MatrixXd right(8, 8);
  random.fill(left);
  random.fill(right);
  const Eigen::MatrixXd U = Eigen::HouseholderQR<Eigen::MatrixXd>(left).householderQ();
  const Eigen::MatrixXd V = Eigen::HouseholderQR<Eigen::MatrixXd>(right).householderQ();
  Eigen::VectorXd singular_values(8);
  for (int i = 0; i < 8; ++i) singular_values[i] = std::pow(10.0, -10.0 * i / 7.0);
  BoundedLeastSquaresProblem problem(20, 8);
  problem.A = U.leftCols(8) * singular_values.asDiagonal() * V.transpose();
  const Eigen::VectorXd truth = Eigen::VectorXd::LinSpaced(8, -1.0, 1.0);
  problem.b = problem.A * truth;
  BoundedLeastSquares solver(20, 8);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - truth).norm(), 1e-5);
  const Eigen::VectorXd squared = (problem.A.transpose() * problem.A).ldlt().solve(problem.A.transpose() * problem.b);
  EXPECT_GT((squared - truth).norm(), 1e-3);
}

TEST(BoundedLeastSquares, TakesAsLittleAsItCanOfAWeakRegulariser) {
  // One row, two variables: x + y = 2 with D = (d, 2d) shares out as 8/5 and 2/5 however small d is.
  for (const double d : {1.0e-1, 1.0e-3, 1.0e-6, 1.0e-9}) {
    BoundedLeastSquaresProblem problem(1, 2);
    problem.A << 1.0, 1.0;
    problem.b << 2.0;
    problem.D << d, 2.0 * d;
    BoundedLeastSquares solver(1, 2);
    ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
    EXPECT_NEAR(solver.solution().x[0] / solver.solution().x[1], 4.0, 1e-5) << "d = " << d;
  }
}

TEST(BoundedLeastSquares, GivesTheSameAnswerWarmAndCold) {
  const auto problems = bench::pushed_pendulum_cone_forces(300);
  BoundedLeastSquares warm(6, 32);
  BoundedLeastSquares cold(6, 32);
  int changes = 0;
  for (const BoundedLeastSquaresProblem& problem : problems) {
    const std::vector<BoundState> last = warm.solution().state;
    ASSERT_EQ(warm.solve(problem), SolveStatus::solved);
    cold.forget_active_set();
    ASSERT_EQ(cold.solve(problem), SolveStatus::solved);
    EXPECT_LT((warm.solution().x - cold.solution().x).norm(), 1e-9 * cold.solution().x.norm());
    EXPECT_EQ(warm.solution().state, cold.solution().state);
    changes += warm.solution().state != last;
  }
  EXPECT_GT(changes, 20);  // else nothing was shown
}

TEST(BoundedLeastSquares, NeedsFewerIterationsWarm) {
  int warm_iterations = 0;
  int cold_iterations = 0;
  BoundedLeastSquares warm(6, 32);
  BoundedLeastSquares cold(6, 32);
  for (const BoundedLeastSquaresProblem& problem : bench::pushed_pendulum_cone_forces(300)) {
    warm.solve(problem);
    cold.forget_active_set();
    cold.solve(problem);
    warm_iterations += warm.solution().iterations;
    cold_iterations += cold.solution().iterations;
  }
  EXPECT_LT(2 * warm_iterations, cold_iterations);
}

TEST(BoundedLeastSquares, NamesWhatIsWrongWithItsInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BoundedLeastSquares solver(1, 1, 1);
  const auto status_with = [&](const auto& change) {
    BoundedLeastSquaresProblem problem(1, 1, 1);
    change(problem);
    const SolveStatus status = solver.solve(problem);
    EXPECT_TRUE(solver.solution().x.allFinite());
    return status;
  };
  EXPECT_EQ(status_with([](auto&) {}), SolveStatus::solved);
  EXPECT_EQ(status_with([](auto& p) { p.lower[0] = 1.0, p.upper[0] = 0.0; }), SolveStatus::invalid_bounds);
  EXPECT_EQ(status_with([](auto& p) { p.lower[0] = kInfinity; }), SolveStatus::invalid_bounds);
  EXPECT_EQ(status_with([](auto& p) { p.upper[0] = -kInfinity; }), SolveStatus::invalid_bounds);
  EXPECT_EQ(status_with([&](auto& p) { p.upper[0] = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([&](auto& p) { p.A(0, 0) = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([](auto& p) { p.b[0] = kInfinity; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([](auto& p) { p.D[0] = 1e70; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([&](auto& p) { p.x0[0] = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([&](auto& p) { p.C(0, 0) = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([&](auto& p) { p.d[0] = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([](auto& p) { p.A.setZero(2, 1); }), SolveStatus::wrong_size);
  EXPECT_EQ(status_with([](auto& p) { p.upper.setZero(0); }), SolveStatus::wrong_size);
  EXPECT_THROW(BoundedLeastSquares(-1, 2), InvalidValue);
}

TEST(BoundedLeastSquares, SolvesProblemsWithoutRowsOrColumns) {
  BoundedLeastSquares no_rows(0, 2);
  BoundedLeastSquaresProblem problem(0, 2);
  problem.lower[0] = 1.0;
  EXPECT_EQ(no_rows.solve(problem), SolveStatus::solved);
  EXPECT_EQ(no_rows.solution().x[0], 1.0);
  BoundedLeastSquares no_columns(3, 0, 2);
  EXPECT_EQ(no_columns.solve(BoundedLeastSquaresProblem(3, 0, 2)), SolveStatus::solved);
}

TEST(BoundedLeastSquares, DoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  std::vector<BoundedLeastSquaresProblem> problems;
  std::vector<BoundedLeastSquares> solvers;
  for (int index = 0; index < 500; ++index) {
    problems.push_back(test::random_problem(index));
    const BoundedLeastSquaresProblem& problem = problems.back();
    solvers.emplace_back(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                         static_cast<int>(problem.C.rows()));
  }
  const test::AllocationCount allocations;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    solvers[i].solve(problems[i]);
    solvers[i].solve(problems[i]);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
