// The million problems: every answer carries its certificate, whatever the start.
#include "aplomb/solvers/optimality.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "solvers/random_problems.hpp"
#include "solvers/random_source.hpp"

namespace aplomb {
namespace {

/// One solver for each size, so that each problem starts warm from the active set of one that it has nothing to do
/// with: a warm start may cost time, never the optimum.
class SolversBySize {
 public:
  BoundedLeastSquares& solver_for(const BoundedLeastSquaresProblem& problem) {
    const std::tuple key(problem.A.rows(), problem.A.cols(), problem.C.rows());
    const auto found = solvers_.find(key);
    if (found != solvers_.end()) return found->second;
    return solvers_
        .emplace(key, BoundedLeastSquares(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                                          static_cast<int>(problem.C.rows())))
        .first->second;
  }

 private:
  std::map<std::tuple<Eigen::Index, Eigen::Index, Eigen::Index>, BoundedLeastSquares> solvers_;
};

TEST(BoundedLeastSquares, IsOptimalToOneInABillionOnRandomProblemsOfAllKinds) {
  SolversBySize solvers;
  const int count = test::count_by_patience(20'000, 1'000'000);
  double worst = 0.0;
  int most_iterations = 0;
  for (int index = 0; index < count; ++index) {
    const BoundedLeastSquaresProblem problem = test::random_problem(index);
    BoundedLeastSquares& solver = solvers.solver_for(problem);
    if (index % 3 == 0) solver.forget_active_set();
    const SolveStatus status = solver.solve(problem);
    ASSERT_EQ(status, SolveStatus::solved) << "problem " << index << ", " << test::trouble_of(index);
    const OptimalityReport report = check_optimality(problem, solver.solution());
    ASSERT_EQ(report.bounds, 0.0) << "problem " << index << ", " << test::trouble_of(index);
    ASSERT_LT(report.worst(), 1e-9) << "problem " << index << ", " << test::trouble_of(index);
    worst = std::max(worst, report.worst());
    most_iterations = std::max(most_iterations, solver.solution().iterations);
  }
  RecordProperty("worst_optimality_error", fmt::format("{:.1e}", worst));
  RecordProperty("most_iterations", most_iterations);  // the bound is 100 + 20 columns
}

TEST(BoundedLeastSquares, ReportsTheMultipliersAndResidualsOfItsAnswer) {
  for (int index = 0; index < 2000; ++index) {
    const BoundedLeastSquaresProblem problem = test::random_problem(index);
    BoundedLeastSquares solver(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                               static_cast<int>(problem.C.rows()));
    solver.solve(problem);
    const BoundedLeastSquaresSolution& solution = solver.solution();
    const Eigen::VectorXd gradient = problem.A.transpose() * (problem.A * solution.x - problem.b) +
                                     problem.D.cwiseAbs2().cwiseProduct(solution.x - problem.x0) +
                                     problem.C.transpose() * solution.equality_multipliers;
    const double terms = problem.A.norm() * (problem.A.norm() * solution.x.norm() + problem.b.norm()) +
                         problem.D.squaredNorm() * (solution.x.norm() + problem.x0.norm()) +
                         problem.C.norm() * solution.equality_multipliers.norm();
    const Eigen::VectorXd residual = problem.C * solution.x - problem.d;
    const double equality_terms = problem.C.norm() * solution.x.norm() + problem.d.norm();
    EXPECT_LE((gradient - solution.bound_multipliers).norm(), 1e-9 * terms) << "problem " << index;
    EXPECT_LE((residual - solution.equality_residual).norm(), 1e-12 * equality_terms) << "problem " << index;
    for (Eigen::Index i = 0; i < solution.x.size(); ++i) {
      const BoundState state = solution.state[i];
      const double claimed = state == BoundState::at_lower   ? problem.lower[i]
                             : state == BoundState::at_upper ? problem.upper[i]
                                                             : solution.x[i];
      EXPECT_EQ(solution.x[i], claimed) << "problem " << index;
      EXPECT_TRUE(state != BoundState::free || solution.bound_multipliers[i] == 0.0) << "problem " << index;
    }
  }
}

TEST(CheckOptimality, SeesAnAnswerThatIsOffByAMillionth) {
  int seen = 0;
  int tried = 0;
  for (int index = 0; index < 2000; ++index) {
    BoundedLeastSquaresProblem problem = test::random_problem(index);
    if (problem.D.minCoeff() < 0.05) continue;  // else there may be other optima nearby
    if (test::trouble_of(index) != std::string("none")) continue;
    BoundedLeastSquares solver(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                               static_cast<int>(problem.C.rows()));
    solver.solve(problem);
    BoundedLeastSquaresSolution changed = solver.solution();
    for (Eigen::Index i = 0; i < changed.x.size(); ++i) {
      if (changed.state[i] != BoundState::free) continue;
      ++tried;
      changed.x[i] += 1e-6;
      seen += check_optimality(problem, changed).worst() > 1e-9;
      changed.x[i] -= 1e-6;
    }
  }
  EXPECT_GT(tried, 20);
  EXPECT_EQ(seen, tried);
}

}  // namespace
}  // namespace aplomb
