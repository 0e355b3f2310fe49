#include "aplomb/retarget/frames/tree_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// Random problems on a robot's tree.
class TreeProblemTest : public testing::TestWithParam<const char*> {
 protected:
  RobotModel robot = RobotModel::load(GetParam());
  TreeKinematics tree{robot};
  TreeColumns columns{tree};
  std::mt19937 engine{11};

  double any() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine); }

  /// H = LᵀL for a random L with a tree's zeros.
  Eigen::MatrixXd random_hessian() {
    Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(columns.size(), columns.size());
    for (int k = 0; k < columns.size(); ++k) {
      for (int i = 0; i < columns.depth(k); ++i) factor(k, columns.path(k)[i]) = 0.5 * any();
      factor(k, k) = 1.0 + 0.5 * any();
    }
    return factor.transpose() * factor;
  }
  void fill(TreeProblem& problem, const Eigen::MatrixXd& hessian) {
    problem.hessian.assign(hessian);
    for (Eigen::Index i = 0; i < problem.gradient.size(); ++i) problem.gradient[i] = any();
    for (Eigen::Index i = 0; i < problem.rows.rows(); ++i) {
      for (Eigen::Index j = 0; j < problem.rows.cols(); ++j) problem.rows(i, j) = any();
      problem.row_value[i] = 0.1 * any();
    }
  }
};

TEST_P(TreeProblemTest, TheFactorTimesItselfIsTheMatrix) {
  const Eigen::MatrixXd hessian = random_hessian();
  TreeMatrix matrix(columns);
  matrix.assign(hessian);
  TreeFactor factor(columns);
  ASSERT_TRUE(factor.compute(matrix, std::vector<char>(static_cast<std::size_t>(columns.size()), 0)));
  Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(columns.size(), [this] { return any(); }), x = b, product = b;
  factor.solve_transposed(x);
  factor.solve(x);
  EXPECT_LT((hessian * x - b).norm(), 1e-9 * b.norm());
  matrix.multiply(x, product);
  EXPECT_LT((product - b).norm(), 1e-9 * b.norm());
}

TEST_P(TreeProblemTest, AMatrixThatIsNotPositiveIsRefused) {
  Eigen::MatrixXd hessian = random_hessian();
  hessian(7, 7) -= 2.0 * hessian.norm();
  TreeMatrix matrix(columns);
  matrix.assign(hessian);
  EXPECT_FALSE(TreeFactor(columns).compute(matrix, std::vector<char>(static_cast<std::size_t>(columns.size()), 0)));
}

TEST_P(TreeProblemTest, TheSolutionMeetsTheConditionsOfOptimality) {
  constexpr int kEqual = 8, kAtLeast = 4;
  TreeProblem problem(columns, kEqual + kAtLeast);
  for (int i = 0; i < kEqual + kAtLeast; ++i) {
    problem.row_kind[static_cast<std::size_t>(i)] = i < kEqual ? RowKind::equal : RowKind::at_least;
  }
  int held = 0, acting = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::MatrixXd hessian = random_hessian();
    fill(problem, hessian);
    for (Eigen::Index k = 6; k < columns.size(); ++k) {
      problem.lower[k] = -0.3 + 0.1 * any();
      problem.upper[k] = 0.3 + 0.1 * any();
    }
    ASSERT_TRUE(problem.solve());
    const Eigen::VectorXd& s = problem.step();
    const Eigen::VectorXd rest = hessian * s + problem.gradient + problem.rows.transpose() * problem.multipliers();
    for (Eigen::Index k = 0; k < columns.size(); ++k) {
      const int side = problem.held()[static_cast<std::size_t>(k)];
      held += side != 0 ? 1 : 0;
      if (side == 0) {
        EXPECT_NEAR(rest[k], 0.0, 1e-7);
      }
      EXPECT_LE(rest[k] * side, 1e-9);  // bounds push inwards
      EXPECT_GE(s[k], problem.lower[k] - 1e-9);
      EXPECT_LE(s[k], problem.upper[k] + 1e-9);
    }
    for (Eigen::Index i = 0; i < kEqual + kAtLeast; ++i) {
      const double value = problem.rows.row(i).dot(s) + problem.row_value[i];
      if (i < kEqual) {
        EXPECT_NEAR(value, 0.0, 1e-8);
      }
      if (i >= kEqual) {
        EXPECT_GT(value, -1e-8);
      }
      if (i >= kEqual) {  // it pushes away
        EXPECT_LE(problem.multipliers()[i], 1e-9);
      }
      if (i >= kEqual) {
        EXPECT_NEAR(problem.multipliers()[i] * value, 0.0, 1e-7);
      }
      acting += i >= kEqual && problem.multipliers()[i] < 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(held, 50);
  EXPECT_GT(acting, 20);
}

TEST_P(TreeProblemTest, OfContradictingRowsTheSofterOneIsViolated) {
  TreeProblem problem(columns, 2);
  fill(problem, random_hessian());
  problem.rows.row(1) = problem.rows.row(0);
  problem.row_value << 0.0, 0.2;
  problem.row_softness << 1e-12, 1e-9;
  problem.row_kind = {RowKind::equal, RowKind::equal};
  ASSERT_TRUE(problem.solve());
  EXPECT_NEAR(problem.rows.row(0).dot(problem.step()), 0.0, 1e-3);
}

TEST_P(TreeProblemTest, SolvingDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  TreeProblem problem(columns, 12);
  fill(problem, random_hessian());
  problem.row_kind.assign(12, RowKind::equal);
  problem.lower.tail(columns.size() - 6).setConstant(-0.2);
  problem.solve();
  const test::AllocationCount allocations;
  problem.forget();
  problem.solve();
  EXPECT_EQ(allocations.since_start(), 0);
}

INSTANTIATE_TEST_SUITE_P(Robots, TreeProblemTest, testing::Values("sarcos_real", "coman", "hoap3"));

}  // namespace
}  // namespace aplomb
