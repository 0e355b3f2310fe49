#include <memory>

#include "cases/bench_cases.hpp"
#include "solvers/problems.hpp"

namespace aplomb {
namespace {

constexpr int kMilliseconds = 300;  // 50 at rest, 100 pushed, 150 of recovery

/// Solves one problem after the other, in a cycle.
template <typename Solver, typename Problem>
struct Turns {
  Solver solver;
  std::vector<Problem> problems;
  std::size_t next = 0;

  void solve_next() {
    solver.solve(problems[next]);
    next = (next + 1) % problems.size();
  }
};

template <typename Solver, typename Problem>
auto in_turn(Solver solver, std::vector<Problem> problems) {
  return std::make_shared<Turns<Solver, Problem>>(Turns<Solver, Problem>{std::move(solver), std::move(problems)});
}

}  // namespace

void add_solvers(std::vector<BenchCase>& cases) {
  const auto cold = in_turn(BoundedLeastSquares(6, 32), bench::pushed_pendulum_cone_forces(kMilliseconds));
  cases.push_back({"nnls_6x32_cold", [cold] {
                     cold->solver.forget_active_set();
                     cold->solve_next();
                   }});
  const auto warm = in_turn(BoundedLeastSquares(6, 32), bench::pushed_pendulum_cone_forces(kMilliseconds));
  cases.push_back({"nnls_6x32_warm", [warm] { warm->solve_next(); }});
  const auto boxes = in_turn(BoundedLeastSquares(6, 12), bench::pushed_pendulum_foot_wrenches(kMilliseconds));
  cases.push_back({"bvls_6x12_warm", [boxes] { boxes->solve_next(); }});
  const auto levels =
      in_turn(TaskHierarchy(bench::kHierarchyColumns, bench::hierarchy_sizes()), bench::hierarchies(kMilliseconds));
  cases.push_back({"hierarchy_4_levels", [levels] { levels->solve_next(); }});
}

}  // namespace aplomb
