// The answers against eiquadprog, the dual active-set method of Goldfarb and Idnani that many controllers use.
#include <gtest/gtest.h>

#ifdef APLOMB_HAS_EIQUADPROG
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <eiquadprog/eiquadprog-fast.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "allocation_counter.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"
#include "solvers/problems.hpp"
#include "solvers/quadratic_program.hpp"
#include "solvers/random_problems.hpp"

namespace aplomb {
namespace {

using eiquadprog::solvers::EiquadprogFast;

constexpr int kComparisons = 2000;
/// eiquadprog factors a Hessian, which squares the condition number: beyond this its own answers lose their digits.
constexpr double kWorstCondition = 1e3;

/// (A; D): the objective is |W x − (b; D x0)|².
Eigen::MatrixXd stacked(const BoundedLeastSquaresProblem& problem) {
  Eigen::MatrixXd W(problem.A.rows() + problem.A.cols(), problem.A.cols());
  W << problem.A, Eigen::MatrixXd(problem.D.asDiagonal());
  return W;
}

/// Strictly convex, fewer equalities than variables and those independent, units whose squares are harmless: with
/// others eiquadprog writes beyond its memory or never returns.
bool suits_eiquadprog(const BoundedLeastSquaresProblem& problem) {
  const auto is_harmless = [](double size) { return size > 1e-2 && size < 1e4; };
  if (problem.C.rows() > 0) {
    if (problem.C.rows() >= problem.C.cols() || !is_harmless(problem.C.norm())) return false;
    if (problem.C.fullPivLu().rank() < problem.C.rows()) return false;
  }
  const Eigen::VectorXd values = stacked(problem).jacobiSvd().singularValues();
  const double smallest = values[values.size() - 1];
  return smallest > values[0] / kWorstCondition && is_harmless(values[0]) && is_harmless(smallest);
}

/// The minimiser, or nothing when eiquadprog finds none.
std::optional<Eigen::VectorXd> minimise(const BoundedLeastSquaresProblem& problem) {
  const bench::QuadraticProgram program(problem);
  EiquadprogFast solver;
  solver.reset(static_cast<std::size_t>(program.H.rows()), static_cast<std::size_t>(program.C.rows()),
               static_cast<std::size_t>(program.R.rows()));
  Eigen::VectorXd x(program.H.rows());
  const auto status = solver.solve_quadprog(program.H, program.g, program.C, program.c, program.R, program.r, x);
  if (status != eiquadprog::solvers::EIQUADPROG_FAST_OPTIMAL) return std::nullopt;
  return x;
}

TEST(BoundedLeastSquares, AgreesWithEiquadprog) {
  int compared = 0;
  int with_equalities = 0;
  int given_up = 0;
  for (int index = 0; compared < kComparisons; ++index) {
    ASSERT_LT(index, 20 * kComparisons) << "too few problems suit eiquadprog: " << compared;
    const BoundedLeastSquaresProblem problem = test::random_problem(index);
    if (!suits_eiquadprog(problem)) continue;
    BoundedLeastSquares solver(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                               static_cast<int>(problem.C.rows()));
    ASSERT_EQ(solver.solve(problem), SolveStatus::solved);
    const BoundedLeastSquaresSolution& ours = solver.solution();
    // Equalities that contradict each other or the bounds have no answer there; here they give way.
    const double equality_terms = problem.C.norm() * ours.x.norm() + problem.d.norm();
    if (ours.equality_residual.norm() > 1e-9 * equality_terms) continue;
    const std::optional<Eigen::VectorXd> theirs = minimise(problem);
    if (!theirs) {  // mostly equalities that only one point within the bounds meets
      ++given_up;
      continue;
    }
    ++compared;
    with_equalities += problem.C.rows() > 0;
    const double size = std::max(1.0, ours.x.norm());
    EXPECT_LT((ours.x - *theirs).norm(), 1e-8 * size) << "problem " << index << ", " << test::trouble_of(index);
    const double our_cost = test::objective(problem, ours.x);
    EXPECT_NEAR(our_cost, test::objective(problem, *theirs), 1e-9 * (our_cost + size * size)) << "problem " << index;
  }
  EXPECT_GT(with_equalities, kComparisons / 20);
  EXPECT_LT(given_up, kComparisons / 20);
}

double microseconds(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + values.size() / 2);
  return values[values.size() / 2];
}

TEST(BoundedLeastSquares, TakesAThirdOfEiquadprogsTimeColdAndAnEighthWarm) {
  if (!counts_allocations()) GTEST_SKIP() << "sanitizers slow down one side only";
  const auto problems = bench::pushed_pendulum_cone_forces(300);
  const std::vector<bench::QuadraticProgram> programs(problems.begin(), problems.end());
  EiquadprogFast rival;
  rival.reset(32, 0, 32);
  BoundedLeastSquares cold(6, 32);
  BoundedLeastSquares warm(6, 32);
  Eigen::VectorXd x(32);
  std::vector<double> cold_times, warm_times, rival_times;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < problems.size(); ++i) {  // in turn, so that a slow moment hits all alike
      const bench::QuadraticProgram& program = programs[i];
      rival_times.push_back(microseconds(
          [&] { rival.solve_quadprog(program.H, program.g, program.C, program.c, program.R, program.r, x); }));
      cold.forget_active_set();
      cold_times.push_back(microseconds([&] { cold.solve(problems[i]); }));
      warm_times.push_back(microseconds([&] { warm.solve(problems[i]); }));
    }
  }
  const double cold_us = median(cold_times), warm_us = median(warm_times), rival_us = median(rival_times);
  fmt::print("medians: cold {:.2f}, warm {:.2f}, eiquadprog {:.2f} microseconds\n", cold_us, warm_us, rival_us);
  EXPECT_LT(cold_us, rival_us / 3.0);
  EXPECT_LT(warm_us, rival_us / 8.0);
}

}  // namespace
}  // namespace aplomb

#else

TEST(BoundedLeastSquares, AgreesWithEiquadprog) {
  GTEST_SKIP() << "eiquadprog is not installed: NOT COMPARED. `scripts/setup test` installs it, then configure again.";
}

#endif
