#include "aplomb/solvers/task_hierarchy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "aplomb/core/error.hpp"
#include "solvers/problems.hpp"
#include "solvers/random_hierarchies.hpp"
#include "solvers/random_source.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(TaskHierarchy, IsTheNullSpaceProjectorsOfGaldeanoWithoutBounds) {
  // Three levels of a 28-joint robot as printed (Galdeano et al. 2014, eq. 16 to 20): feet (6), CoM (3), comfort (28).
  test::RandomSource random(11);
  for (int index = 0; index < 300; ++index) {
    constexpr int kJoints = 28;
    const std::vector<HierarchyLevelSize> sizes = {
        {.equality_rows = 6}, {.equality_rows = 3}, {.equality_rows = kJoints}};
    HierarchyProblem problem(kJoints, sizes);
    Eigen::MatrixXd J_feet(6, kJoints), J_com(3, kJoints), errors(kJoints, 3);
    random.fill(J_feet);
    random.fill(J_com);
    random.fill(errors);
    const Eigen::VectorXd e_feet = errors.col(0).head<6>(), e_com = errors.col(1).head<3>(), e_joints = errors.col(2);
    problem.levels[0].A = J_feet;
    problem.levels[0].b = e_feet;
    problem.levels[1].A = J_com;
    problem.levels[1].b = e_com;
    problem.levels[2].A.setIdentity();
    problem.levels[2].b = e_joints;
    TaskHierarchy solver(kJoints, sizes);
    ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
    const auto inverse = [](const Eigen::MatrixXd& A) -> Eigen::MatrixXd {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
      factor.setThreshold(1e-9);
      return factor.compute(A).pseudoInverse();
    };
    const Eigen::MatrixXd P_feet = Eigen::MatrixXd::Identity(kJoints, kJoints) - inverse(J_feet) * J_feet;    // (18)
    const Eigen::MatrixXd J_com_free = J_com * P_feet, P_joints = P_feet - inverse(J_com_free) * J_com_free;  // (20)
    const Eigen::VectorXd q1 = inverse(J_feet) * e_feet;                                                      // (16)
    const Eigen::VectorXd q2 = q1 + inverse(J_com_free) * (e_com - J_com * q1);                               // (17)
    const Eigen::VectorXd q3 = q2 + inverse(P_joints) * (e_joints - q2);                                      // (19)
    EXPECT_LT((solver.solution().x - q3).norm(), 1e-9 * (1.0 + q3.norm())) << index;
  }
}

TEST(TaskHierarchy, LeavesNoDirectionInWhichALevelCouldStillImprove) {
  // In the null space N of all rows above, the gradient of a level's |A x − b|² is zero: that is its optimality.
  for (int index = 0; index < 2000; ++index) {
    test::RandomHierarchy hierarchy = test::random_hierarchy(index);
    for (HierarchyLevelSize& size : hierarchy.sizes) size.bounded_rows = 0;
    HierarchyProblem problem(hierarchy.columns, hierarchy.sizes);
    Eigen::MatrixXd above(0, hierarchy.columns);
    TaskHierarchy solver(hierarchy.columns, hierarchy.sizes);
    for (std::size_t k = 0; k < problem.levels.size(); ++k) {
      problem.levels[k].A = hierarchy.problem.levels[k].A;
      problem.levels[k].b = hierarchy.problem.levels[k].b;
    }
    ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
    Eigen::MatrixXd null_space = Eigen::MatrixXd::Identity(hierarchy.columns, hierarchy.columns);
    for (std::size_t k = 0; k < problem.levels.size(); ++k) {
      const HierarchyLevel& level = problem.levels[k];
      const HierarchyLevelReport& report = solver.solution().levels[k];
      if (report.damping > 0.0) break;
      const double terms = level.A.norm() * (level.A.norm() * solver.solution().x.norm() + level.b.norm());
      const Eigen::VectorXd gradient = null_space.transpose() * level.A.transpose() * report.residual;
      EXPECT_LE(gradient.norm(), 1e-10 * terms) << "hierarchy " << index << ", level " << k + 1;
      above.conservativeResize(above.rows() + level.A.rows(), Eigen::NoChange);
      // Rows of unit length (or zero), so that the rank test below does not depend on units.
      for (Eigen::Index i = 0; i < level.A.rows(); ++i) {
        above.row(above.rows() - level.A.rows() + i) = level.A.row(i).normalized();
      }
      if (above.rows() == 0) continue;
      Eigen::FullPivLU<Eigen::MatrixXd> factor(above);
      factor.setThreshold(1e-10);
      null_space = factor.kernel();
    }
  }
}

TEST(TaskHierarchy, NeverLetsALowerLevelChangeAHigherOne) {
  for (int index = 0; index < 3000; ++index) {
    const test::RandomHierarchy hierarchy = test::random_hierarchy(index);
    TaskHierarchy all(hierarchy.columns, hierarchy.sizes);
    ASSERT_EQ(all.solve(hierarchy.problem), SolveStatus::solved);
    for (std::size_t count = 1; count < hierarchy.sizes.size(); ++count) {
      const std::vector<HierarchyLevelSize> sizes(hierarchy.sizes.begin(),
                                                  hierarchy.sizes.begin() + static_cast<std::ptrdiff_t>(count));
      HierarchyProblem problem(hierarchy.columns, sizes);
      for (std::size_t k = 0; k < count; ++k) problem.levels[k] = hierarchy.problem.levels[k];
      TaskHierarchy first(hierarchy.columns, sizes);
      ASSERT_EQ(first.solve(problem), SolveStatus::solved);
      for (std::size_t k = 0; k < count; ++k) {
        const HierarchyLevel& level = problem.levels[k];
        const double terms = 1.0 + level.A.norm() * all.solution().x.norm() + level.C.norm() * all.solution().x.norm();
        const HierarchyLevelReport& alone = first.solution().levels[k];
        const HierarchyLevelReport& together = all.solution().levels[k];
        EXPECT_LT((alone.residual - together.residual).norm(), 1e-10 * terms) << index << ", level " << k + 1;
        EXPECT_LT((alone.violation - together.violation).norm(), 1e-10 * terms) << index << ", level " << k + 1;
      }
    }
  }
}

TEST(TaskHierarchy, IsTheShortestOfItsAnswers) {
  HierarchyProblem problem(3, {{1, 0}});
  problem.levels[0].A << 1.0, 1.0, 0.0;
  problem.levels[0].b << 2.0;
  TaskHierarchy solver(3, {{1, 0}});
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - Eigen::Vector3d(1.0, 1.0, 0.0)).norm(), 1e-14);
}

TEST(TaskHierarchy, IsTheShortestOfItsAnswersWhateverItDidBefore) {
  // x ≥ 1 holds x at its bound; when the bound has gone to −5, x goes back to zero and not with it.
  HierarchyProblem problem(2, {{0, 2}});
  problem.levels[0].C.setIdentity();
  problem.levels[0].lower << 1.0, -5.0;
  TaskHierarchy solver(2, {{0, 2}});
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-14);
  problem.levels[0].lower << -5.0, 1.0;
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - Eigen::Vector2d(0.0, 1.0)).norm(), 1e-14);
  EXPECT_EQ(solver.solution().levels[0].state[0], BoundState::free);
}

TEST(TaskHierarchy, GivesTheSameAnswerFromAnotherProblemsActiveSet) {
  for (int index = 0; index < 3000; ++index) {
    const test::RandomHierarchy hierarchy = test::random_hierarchy(index);
    HierarchyProblem changed = hierarchy.problem;
    test::RandomSource random(index);
    for (HierarchyLevel& level : changed.levels) {
      for (double& value : level.b) value += 0.3 * random.normal();
      for (Eigen::Index i = 0; i < level.lower.size(); ++i) {
        const double shift = 0.3 * random.normal();
        level.lower[i] += shift;
        level.upper[i] += shift;
      }
    }
    TaskHierarchy warm(hierarchy.columns, hierarchy.sizes);
    TaskHierarchy cold(hierarchy.columns, hierarchy.sizes);
    ASSERT_EQ(warm.solve(hierarchy.problem), SolveStatus::solved);
    ASSERT_EQ(warm.solve(changed), SolveStatus::solved);
    ASSERT_EQ(cold.solve(changed), SolveStatus::solved);
    const Eigen::VectorXd& x = cold.solution().x;
    EXPECT_LT((warm.solution().x - x).norm(), 1e-9 * (1.0 + x.norm())) << "hierarchy " << index;
  }
}

TEST(TaskHierarchy, HoldsBoundsAtTheTopAndReportsThem) {
  // x ≤ 1 above x + y = 5 above x = 4, y = 0: x stops at its bound, y makes up for it.
  const std::vector<HierarchyLevelSize> sizes{{0, 1}, {1, 0}, {2, 0}};
  HierarchyProblem problem(2, sizes);
  problem.levels[0].C << 1.0, 0.0;
  problem.levels[0].upper << 1.0;
  problem.levels[1].A << 1.0, 1.0;
  problem.levels[1].b << 5.0;
  problem.levels[2].A.setIdentity();
  problem.levels[2].b << 4.0, 0.0;
  TaskHierarchy solver(2, sizes);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - Eigen::Vector2d(1.0, 4.0)).norm(), 1e-14);
  EXPECT_EQ(solver.solution().levels[0].state[0], BoundState::at_upper);
  EXPECT_EQ(solver.solution().levels[0].rank, 1);
  EXPECT_EQ(solver.solution().levels[1].rank, 1);
  EXPECT_EQ(solver.solution().levels[2].rank, 0);
  EXPECT_LT((solver.solution().levels[2].residual - Eigen::Vector2d(-3.0, 4.0)).norm(), 1e-14);
}

TEST(TaskHierarchy, BreaksContradictingBoundsOfOneLevelEquallyAndSaysByHowMuch) {
  // x ≥ 2 and x ≤ 0 in one level: half-way, each broken by 1; a lower level cannot move it.
  const std::vector<HierarchyLevelSize> sizes{{0, 2}, {1, 0}};
  HierarchyProblem problem(1, sizes);
  problem.levels[0].C << 1.0, 1.0;
  problem.levels[0].lower[0] = 2.0;
  problem.levels[0].upper[1] = 0.0;
  problem.levels[1].A << 1.0;
  problem.levels[1].b << 10.0;
  TaskHierarchy solver(1, sizes);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_NEAR(solver.solution().x[0], 1.0, 1e-14);
  EXPECT_NEAR(solver.solution().levels[0].violation[0], -1.0, 1e-14);
  EXPECT_NEAR(solver.solution().levels[0].violation[1], 1.0, 1e-14);
}

TEST(TaskHierarchy, ReleasesWhatRedundantRowsDoNotNeed) {
  const std::vector<HierarchyLevelSize> sizes{{3, 0}, {2, 0}};
  HierarchyProblem problem(2, sizes);
  problem.levels[0].A << 1.0, 2.0, 2.0, 4.0, -0.5, -1.0;  // one direction, three times
  problem.levels[0].b << 1.0, 2.0, -0.5;
  problem.levels[1].A.setIdentity();
  TaskHierarchy solver(2, sizes);
  ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
  EXPECT_EQ(solver.solution().levels[0].rank, 1);
  EXPECT_EQ(solver.solution().levels[1].rank, 1);
  EXPECT_LT(solver.solution().levels[0].residual.norm(), 1e-14);
}

TEST(TaskHierarchy, GivesTheSameAnswerWarmAndColdWithFewerFactorisations) {
  int warm_iterations = 0;
  int cold_iterations = 0;
  TaskHierarchy warm(bench::kHierarchyColumns, bench::bounded_hierarchy_sizes());
  TaskHierarchy cold(bench::kHierarchyColumns, bench::bounded_hierarchy_sizes());
  for (const HierarchyProblem& problem : bench::bounded_hierarchies(200)) {
    ASSERT_EQ(warm.solve(problem), SolveStatus::solved);
    cold.forget();
    ASSERT_EQ(cold.solve(problem), SolveStatus::solved);
    EXPECT_LT((warm.solution().x - cold.solution().x).norm(), 1e-9 * cold.solution().x.norm());
    warm_iterations += warm.solution().iterations;
    cold_iterations += cold.solution().iterations;
  }
  EXPECT_LT(4 * warm_iterations, 3 * cold_iterations);
}

TEST(TaskHierarchy, EndsWhenItsBudgetOfOperationsIsSpentAndOnlyThen) {
  const auto sizes = bench::bounded_hierarchy_sizes();
  double rows = 0.0;
  for (const HierarchyLevelSize& size : sizes) rows += size.equality_rows + size.bounded_rows;
  const double one = rows * bench::kHierarchyColumns * bench::kHierarchyColumns;  // a factorisation of all rows
  TaskHierarchy full(bench::kHierarchyColumns, sizes);
  TaskHierarchy tight(bench::kHierarchyColumns, sizes, {.max_operations = one});
  int spent = 0, solved = 0;
  for (const HierarchyProblem& problem : bench::bounded_hierarchies(200)) {
    full.forget();
    tight.forget();
    ASSERT_EQ(full.solve(problem), SolveStatus::solved);
    const SolveStatus status = tight.solve(problem);
    EXPECT_LE(tight.solution().iterations, full.solution().iterations);
    EXPECT_TRUE(tight.solution().x.allFinite());
    if (status == SolveStatus::solved) {
      EXPECT_EQ(tight.solution().x, full.solution().x);  // the budget changes nothing until it is spent
      ++solved;
    } else {
      EXPECT_EQ(status, SolveStatus::budget_spent);
      ++spent;
    }
  }
  EXPECT_GT(spent, 0);
  EXPECT_GT(solved, 0);
}

TEST(TaskHierarchy, NamesWhatIsWrongWithItsInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  TaskHierarchy solver(1, {{1, 1}});
  const auto status_with = [&](const auto& change) {
    HierarchyProblem problem(1, {{1, 1}});
    change(problem.levels[0]);
    const SolveStatus status = solver.solve(problem);
    EXPECT_TRUE(solver.solution().x.allFinite());
    return status;
  };
  EXPECT_EQ(status_with([](auto&) {}), SolveStatus::solved);
  EXPECT_EQ(status_with([&](auto& level) { level.A(0, 0) = nan; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([&](auto& level) { level.b[0] = infinity; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([](auto& level) { level.C(0, 0) = 1e61; }), SolveStatus::invalid_value);
  EXPECT_EQ(status_with([](auto& level) { level.lower[0] = 1.0, level.upper[0] = 0.0; }), SolveStatus::invalid_bounds);
  EXPECT_EQ(status_with([&](auto& level) { level.lower[0] = infinity; }), SolveStatus::invalid_bounds);
  EXPECT_EQ(status_with([](auto& level) { level.A.setZero(2, 1); }), SolveStatus::wrong_size);
  EXPECT_EQ(solver.solve(HierarchyProblem(1, {})), SolveStatus::wrong_size);
  EXPECT_THROW(TaskHierarchy(-1, {}), InvalidValue);
  EXPECT_THROW(TaskHierarchy(1, {{-1, 0}}), InvalidValue);
  EXPECT_THROW(TaskHierarchy(1, {}, {.rank_tolerance = 0.5}), InvalidValue);
}

TEST(TaskHierarchy, SolvesHierarchiesWithoutLevelsRowsOrColumns) {
  TaskHierarchy no_levels(2, {});
  EXPECT_EQ(no_levels.solve(HierarchyProblem(2, {})), SolveStatus::solved);
  TaskHierarchy no_rows(2, {{0, 0}, {0, 0}});
  EXPECT_EQ(no_rows.solve(HierarchyProblem(2, {{0, 0}, {0, 0}})), SolveStatus::solved);
  EXPECT_EQ(no_rows.solution().x, Eigen::Vector2d::Zero());
  TaskHierarchy no_columns(0, {{1, 1}});
  EXPECT_EQ(no_columns.solve(HierarchyProblem(0, {{1, 1}})), SolveStatus::solved);
}

TEST(TaskHierarchy, DoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  std::vector<test::RandomHierarchy> hierarchies;
  std::vector<TaskHierarchy> solvers;
  for (int index = 0; index < 500; ++index) {
    hierarchies.push_back(test::random_hierarchy(index));
    solvers.emplace_back(hierarchies.back().columns, hierarchies.back().sizes);
  }
  const test::AllocationCount allocations;
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    solvers[i].solve(hierarchies[i].problem);
    solvers[i].solve(hierarchies[i].problem);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
