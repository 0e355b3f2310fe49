// Times the solvers on the problems of a balance controller under a push (problems.hpp), and eiquadprog on the same:
//   solvers_bench [--benchmark_filter=nnls]
// The Hessians for eiquadprog are computed before; only its own call is timed. It has no warm start.
#include <benchmark/benchmark.h>

#include <vector>

#include "aplomb/solvers/bounded_least_squares.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"
#include "solvers/problems.hpp"
#ifdef APLOMB_HAS_EIQUADPROG
#include <eiquadprog/eiquadprog-fast.hpp>

#include "solvers/quadratic_program.hpp"
#endif

namespace aplomb::bench {
namespace {

constexpr int kMilliseconds = 300;  // 50 at rest, 100 pushed, 150 of recovery

std::vector<BoundedLeastSquaresProblem> without_regulariser(std::vector<BoundedLeastSquaresProblem> problems) {
  for (BoundedLeastSquaresProblem& problem : problems) problem.D.setZero();
  return problems;
}

void time_bounded(benchmark::State& run, const std::vector<BoundedLeastSquaresProblem>& problems, bool is_warm) {
  BoundedLeastSquares solver(static_cast<int>(problems[0].A.rows()), static_cast<int>(problems[0].A.cols()));
  std::size_t i = 0;
  for (auto _ : run) {
    if (!is_warm) solver.forget_active_set();
    benchmark::DoNotOptimize(solver.solve(problems[i]));
    i = (i + 1) % problems.size();
  }
}

void time_hierarchy(benchmark::State& run, const std::vector<HierarchyProblem>& problems,
                    const std::vector<HierarchyLevelSize>& sizes) {
  TaskHierarchy solver(kHierarchyColumns, sizes);
  std::size_t i = 0;
  for (auto _ : run) {
    benchmark::DoNotOptimize(solver.solve(problems[i]));
    i = (i + 1) % problems.size();
  }
}

#ifdef APLOMB_HAS_EIQUADPROG
void time_eiquadprog(benchmark::State& run, const std::vector<BoundedLeastSquaresProblem>& problems) {
  std::vector<QuadraticProgram> programs(problems.begin(), problems.end());
  eiquadprog::solvers::EiquadprogFast solver;
  const QuadraticProgram& first = programs[0];
  solver.reset(static_cast<std::size_t>(first.H.rows()), 0, static_cast<std::size_t>(first.R.rows()));
  Eigen::VectorXd x(first.H.rows());
  std::size_t i = 0;
  for (auto _ : run) {
    const QuadraticProgram& program = programs[i];
    benchmark::DoNotOptimize(
        solver.solve_quadprog(program.H, program.g, program.C, program.c, program.R, program.r, x));
    i = (i + 1) % programs.size();
  }
}
#endif

template <typename Function, typename... Arguments>
void add(const char* name, Function function, const Arguments&... arguments) {
  benchmark::RegisterBenchmark(name, function, arguments...)->Unit(benchmark::kMicrosecond);
}

void add_all() {
  const auto cones = pushed_pendulum_cone_forces(kMilliseconds);
  const auto wrenches = pushed_pendulum_foot_wrenches(kMilliseconds);
  add("nnls_6x32_cold", time_bounded, cones, false);
  add("nnls_6x32_warm", time_bounded, cones, true);
#ifdef APLOMB_HAS_EIQUADPROG
  add("nnls_6x32/eiquadprog", time_eiquadprog, cones);
#endif
  add("nnls_6x32_warm/no_regulariser", time_bounded, without_regulariser(cones), true);
  add("bvls_6x12_cold", time_bounded, wrenches, false);
  add("bvls_6x12_warm", time_bounded, wrenches, true);
#ifdef APLOMB_HAS_EIQUADPROG
  add("bvls_6x12/eiquadprog", time_eiquadprog, wrenches);
#endif
  add("hierarchy_4_levels", time_hierarchy, hierarchies(kMilliseconds), hierarchy_sizes());
  add("hierarchy_4_levels/joint_bounds", time_hierarchy, bounded_hierarchies(kMilliseconds), bounded_hierarchy_sizes());
}

}  // namespace
}  // namespace aplomb::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  aplomb::bench::add_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
