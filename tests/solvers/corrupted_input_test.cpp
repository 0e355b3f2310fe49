// A million inputs with anything in them: the answers are finite, the bounds hold, and the next good problem is solved.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "aplomb/solvers/optimality.hpp"
#include "solvers/random_hierarchies.hpp"
#include "solvers/random_problems.hpp"
#include "solvers/random_source.hpp"

namespace aplomb {
namespace {

double corrupted_number(test::RandomSource& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array kNumbers = {std::numeric_limits<double>::quiet_NaN(),
                                   kInfinity,
                                   -kInfinity,
                                   std::numeric_limits<double>::max(),
                                   -std::numeric_limits<double>::max(),
                                   std::numeric_limits<double>::min(),
                                   std::numeric_limits<double>::denorm_min(),
                                   -0.0,
                                   1e59,
                                   -1e59,
                                   1e61,
                                   1e-200,
                                   1e30,
                                   -1e30};
  if (random.chance(3)) return random.normal() * random.power_of_ten(-320, 308);
  return kNumbers[static_cast<std::size_t>(random.integer(0, static_cast<int>(kNumbers.size()) - 1))];
}

template <typename Dense>
void corrupt(Dense& entries, test::RandomSource& random) {
  if (entries.size() == 0) return;
  for (int i = random.integer(0, 2); i > 0; --i) {
    entries.data()[random.integer(0, static_cast<int>(entries.size()) - 1)] = corrupted_number(random);
  }
}

void corrupt(BoundedLeastSquaresProblem& problem, test::RandomSource& random) {
  switch (random.integer(0, 7)) {
    case 0:
      return corrupt(problem.A, random);
    case 1:
      return corrupt(problem.b, random);
    case 2:
      return corrupt(problem.D, random);
    case 3:
      return corrupt(problem.x0, random);
    case 4:
      return corrupt(problem.lower, random);
    case 5:
      return corrupt(problem.upper, random);
    case 6:
      return corrupt(problem.C, random);
    default:
      return corrupt(problem.d, random);
  }
}

void expect_finite(const BoundedLeastSquaresSolution& solution, int index) {
  ASSERT_TRUE(solution.x.allFinite()) << "input " << index;
  ASSERT_TRUE(solution.bound_multipliers.allFinite()) << "input " << index;
  ASSERT_TRUE(solution.equality_multipliers.allFinite()) << "input " << index;
  ASSERT_TRUE(solution.equality_residual.allFinite()) << "input " << index;
  ASSERT_TRUE(solution.equality_bound_multipliers.allFinite()) << "input " << index;
}

TEST(BoundedLeastSquares, GivesFiniteAnswersWithinBoundsWhateverGoesIn) {
  constexpr int kRows = 6;
  constexpr int kColumns = 9;
  BoundedLeastSquares plain(kRows, kColumns);
  BoundedLeastSquares with_equalities(kRows, kColumns, 3);
  const int count = test::count_by_patience(20'000, 1'000'000);
  int solved = 0;
  for (int index = 0; index < count; ++index) {
    test::RandomSource random(index);
    const bool has_equalities = index % 2 == 0;
    BoundedLeastSquaresProblem problem = test::random_problem(index, kRows, kColumns, has_equalities ? 3 : 0);
    const BoundedLeastSquaresProblem sane = problem;
    for (int i = random.integer(1, 4); i > 0; --i) corrupt(problem, random);
    BoundedLeastSquares& solver = has_equalities ? with_equalities : plain;
    const SolveStatus status = solver.solve(problem);
    expect_finite(solver.solution(), index);
    solved += status == SolveStatus::solved;
    if (status == SolveStatus::solved || status == SolveStatus::iteration_limit ||
        status == SolveStatus::numerical_trouble) {
      ASSERT_TRUE((solver.solution().x.array() >= problem.lower.array()).all()) << "input " << index;
      ASSERT_TRUE((solver.solution().x.array() <= problem.upper.array()).all()) << "input " << index;
    }
    if (index % 10 != 0) continue;
    ASSERT_EQ(solver.solve(sane), SolveStatus::solved) << "after input " << index;
    ASSERT_LT(check_optimality(sane, solver.solution()).worst(), 1e-9) << "after input " << index;
  }
  EXPECT_GT(solved, count / 10);  // not every corruption is illegal
  EXPECT_LT(solved, count);
}

TEST(BoundedLeastSquares, RefusesWrongSizesWithoutTouchingThem) {
  BoundedLeastSquares solver(3, 4, 2);
  for (int index = 0; index < 1000; ++index) {
    const BoundedLeastSquaresProblem problem = test::random_problem(index);
    const bool fits = problem.A.rows() == 3 && problem.A.cols() == 4 && problem.C.rows() == 2;
    EXPECT_EQ(solver.solve(problem) == SolveStatus::wrong_size, !fits);
    expect_finite(solver.solution(), index);
  }
}

void corrupt(HierarchyProblem& problem, test::RandomSource& random) {
  HierarchyLevel& level =
      problem.levels[static_cast<std::size_t>(random.integer(0, static_cast<int>(problem.levels.size()) - 1))];
  switch (random.integer(0, 4)) {
    case 0:
      return corrupt(level.A, random);
    case 1:
      return corrupt(level.b, random);
    case 2:
      return corrupt(level.C, random);
    case 3:
      return corrupt(level.lower, random);
    default:
      return corrupt(level.upper, random);
  }
}

TEST(TaskHierarchy, GivesFiniteAnswersWhateverGoesIn) {
  constexpr int kShapes = 50;
  const int count = test::count_by_patience(20'000, 1'000'000);
  std::vector<test::RandomHierarchy> hierarchies;
  std::vector<TaskHierarchy> solvers;
  for (int shape = 0; shape < kShapes; ++shape) {
    hierarchies.push_back(test::random_hierarchy(shape));
    solvers.emplace_back(hierarchies.back().columns, hierarchies.back().sizes);
  }
  int solved = 0;
  for (int index = 0; index < count; ++index) {
    test::RandomSource random(index);
    const std::size_t shape = static_cast<std::size_t>(index % kShapes);
    HierarchyProblem problem = hierarchies[shape].problem;
    for (int i = random.integer(1, 4); i > 0; --i) corrupt(problem, random);
    solved += solvers[shape].solve(problem) == SolveStatus::solved;
    const HierarchySolution& solution = solvers[shape].solution();
    ASSERT_TRUE(solution.x.allFinite()) << "input " << index;
    for (const HierarchyLevelReport& level : solution.levels) {
      ASSERT_TRUE(level.residual.allFinite() && level.violation.allFinite() && std::isfinite(level.damping))
          << "input " << index;
    }
    if (index % 10 == 0) {
      ASSERT_EQ(solvers[shape].solve(hierarchies[shape].problem), SolveStatus::solved) << "after input " << index;
    }
  }
  EXPECT_GT(solved, count / 10);
  EXPECT_LT(solved, count);
}

}  // namespace
}  // namespace aplomb
