// A hierarchy is a chain of bounded least-squares problems: the two solvers, which share no method, must agree.
#include <gtest/gtest.h>

#include <optional>

#include "aplomb/solvers/bounded_least_squares.hpp"
#include "solvers/random_hierarchies.hpp"
#include "solvers/random_source.hpp"

namespace aplomb {
namespace {

/// Of a level's cost, relative to its terms. x feels the same rounding through what may be a poor condition.
constexpr double kCostTolerance = 1e-10;
constexpr double kDistance = 1e-9;

/// Level k over (x, s), s one variable for each bounded row so far, within that row's bounds:
///   min |A_k x − b_k|² + |C_k x − s_k|²,   A_j x and C_j x − s_j as found before for all j < k;
/// at last the shortest x.
class Chain {
 public:
  Chain(HierarchyProblem problem, int columns)
      : problem_(std::move(problem)), columns_(columns), x_(Eigen::VectorXd::Zero(columns)) {
    problem_.levels.emplace_back(HierarchyLevelSize{.equality_rows = columns}, columns);
    problem_.levels.back().A.setIdentity();
  }

  /// Nothing when one of the problems is too rough to be solved.
  std::optional<Eigen::VectorXd> solve() {
    for (std::size_t k = 0; k < problem_.levels.size(); ++k) {
      if (!solve_level(k)) return std::nullopt;
    }
    return x_;
  }

 private:
  bool solve_level(std::size_t k) {
    const HierarchyLevel& level = problem_.levels[k];
    const int equalities = static_cast<int>(level.A.rows());
    const int bounded = static_cast<int>(level.C.rows());
    BoundedLeastSquaresProblem step(equalities + bounded, columns_ + num_slacks_ + bounded, num_fixed_);
    step.A.topLeftCorner(equalities, columns_) = level.A;
    step.b.head(equalities) = level.b;
    step.A.block(equalities, 0, bounded, columns_) = level.C;
    step.A.bottomRightCorner(bounded, bounded) = -Eigen::MatrixXd::Identity(bounded, bounded);
    write_levels_above(step, k);
    step.lower.tail(bounded) = level.lower;
    step.upper.tail(bounded) = level.upper;
    BoundedLeastSquares solver(equalities + bounded, columns_ + num_slacks_ + bounded, num_fixed_);
    if (solver.solve(step) != SolveStatus::solved) return false;
    x_ = solver.solution().x.head(columns_);
    distances_.push_back(level.C * x_ - solver.solution().x.tail(bounded));
    num_slacks_ += bounded;
    num_fixed_ += equalities + bounded;
    return solver.solution().equality_residual.norm() < 1e-8 * (1.0 + x_.norm());
  }

  void write_levels_above(BoundedLeastSquaresProblem& step, std::size_t k) const {
    Eigen::Index row = 0;
    Eigen::Index slack = columns_;
    for (std::size_t j = 0; j < k; ++j) {
      const HierarchyLevel& above = problem_.levels[j];
      step.C.block(row, 0, above.A.rows(), columns_) = above.A;
      step.d.segment(row, above.A.rows()) = above.A * x_;
      row += above.A.rows();
      const auto bounded = above.C.rows();
      step.C.block(row, 0, bounded, columns_) = above.C;
      step.C.block(row, slack, bounded, bounded) = -Eigen::MatrixXd::Identity(bounded, bounded);
      step.d.segment(row, bounded) = distances_[j];
      step.lower.segment(slack, bounded) = above.lower;
      step.upper.segment(slack, bounded) = above.upper;
      row += bounded;
      slack += bounded;
    }
  }

  HierarchyProblem problem_;
  int columns_;
  int num_slacks_ = 0;
  int num_fixed_ = 0;
  Eigen::VectorXd x_;
  std::vector<Eigen::VectorXd> distances_;
};

TEST(TaskHierarchy, IsAChainOfBoundedLeastSquaresProblems) {
  const int count = test::count_by_patience(5'000, 200'000);
  int compared = 0;
  for (int index = 0; index < count; ++index) {
    const test::RandomHierarchy hierarchy = test::random_hierarchy(index);
    TaskHierarchy solver(hierarchy.columns, hierarchy.sizes);
    ASSERT_EQ(solver.solve(hierarchy.problem), SolveStatus::solved) << "hierarchy " << index;
    const HierarchySolution& ours = solver.solution();
    bool is_damped = false;
    for (const HierarchyLevelReport& level : ours.levels) is_damped |= level.damping > 0.0;
    const std::optional<Eigen::VectorXd> x = Chain(hierarchy.problem, hierarchy.columns).solve();
    if (is_damped || !x) continue;
    ++compared;
    const Eigen::VectorXd our_costs = test::level_costs(hierarchy.problem, ours.x).cwiseSqrt();
    const Eigen::VectorXd costs = test::level_costs(hierarchy.problem, *x).cwiseSqrt();
    for (std::size_t k = 0; k < hierarchy.sizes.size(); ++k) {
      const HierarchyLevel& level = hierarchy.problem.levels[k];
      const double terms = level.b.norm() + (level.A.norm() + level.C.norm()) * (1.0 + ours.x.norm());
      const auto i = static_cast<Eigen::Index>(k);
      ASSERT_NEAR(our_costs[i], costs[i], kCostTolerance * terms) << "hierarchy " << index << ", level " << k + 1;
    }
    ASSERT_LT((ours.x - *x).norm(), kDistance * (1.0 + ours.x.norm())) << "hierarchy " << index;
  }
  EXPECT_GT(compared, 0.98 * count);
}

}  // namespace
}  // namespace aplomb
