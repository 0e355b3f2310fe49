// Prints random problems with this library's answers, one JSON object a line, for the oracles of oracle_test.py:
//   print_solver_answers bounded COUNT | hierarchy COUNT
// Infinite numbers are written as Python's json reads them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/random_hierarchies.hpp"
#include "solvers/random_problems.hpp"

namespace aplomb {
namespace {

std::string number(double value) {
  if (std::isinf(value)) return value > 0.0 ? "Infinity" : "-Infinity";
  return fmt::format("{:.17g}", value);
}

std::string list(const Eigen::VectorXd& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(number(value));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string table(const Eigen::MatrixXd& matrix) {
  std::vector<std::string> rows;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) rows.push_back(list(matrix.row(row)));
  return fmt::format("[{}]", fmt::join(rows, ","));
}

void print_bounded(int index) {
  const BoundedLeastSquaresProblem problem = test::random_problem(index);
  BoundedLeastSquares solver(static_cast<int>(problem.A.rows()), static_cast<int>(problem.A.cols()),
                             static_cast<int>(problem.C.rows()));
  const SolveStatus status = solver.solve(problem);
  fmt::print(
      R"({{"index":{},"trouble":"{}","A":{},"b":{},"D":{},"x0":{},"lower":{},"upper":{},"C":{},"d":{},"x":{},"status":"{}"}})"
      "\n",
      index, test::trouble_of(index), table(problem.A), list(problem.b), list(problem.D), list(problem.x0),
      list(problem.lower), list(problem.upper), table(problem.C), list(problem.d), list(solver.solution().x),
      to_string(status));
}

void print_hierarchy(int index) {
  const test::RandomHierarchy hierarchy = test::random_hierarchy(index);
  TaskHierarchy solver(hierarchy.columns, hierarchy.sizes);
  const SolveStatus status = solver.solve(hierarchy.problem);
  std::string levels;
  double damping = 0.0;
  for (std::size_t k = 0; k < hierarchy.sizes.size(); ++k) {
    const HierarchyLevel& level = hierarchy.problem.levels[k];
    levels += fmt::format(R"({}{{"A":{},"b":{},"C":{},"lower":{},"upper":{}}})", k == 0 ? "" : ",", table(level.A),
                          list(level.b), table(level.C), list(level.lower), list(level.upper));
    damping = std::max(damping, solver.solution().levels[k].damping);
  }
  fmt::print(R"({{"index":{},"levels":[{}],"x":{},"status":"{}","damping":{}}})"
             "\n",
             index, levels, list(solver.solution().x), to_string(status), number(damping));
}

}  // namespace
}  // namespace aplomb

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: {} bounded|hierarchy COUNT\n", argv[0]);
    return 2;
  }
  const int count = std::atoi(argv[2]);
  const bool is_bounded = std::string_view(argv[1]) == "bounded";
  for (int index = 0; index < count; ++index) {
    is_bounded ? aplomb::print_bounded(index) : aplomb::print_hierarchy(index);
  }
  return 0;
}
