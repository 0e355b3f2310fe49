#include "aplomb/solvers/task_hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/solvers/hierarchy/hierarchy_active_set.hpp"
#include "aplomb/solvers/input_check.hpp"

namespace aplomb {

HierarchyLevel::HierarchyLevel(const HierarchyLevelSize& size, int columns)
    : A(Eigen::MatrixXd::Zero(size.equality_rows, columns)),
      b(Eigen::VectorXd::Zero(size.equality_rows)),
      C(Eigen::MatrixXd::Zero(size.bounded_rows, columns)),
      lower(Eigen::VectorXd::Constant(size.bounded_rows, -std::numeric_limits<double>::infinity())),
      upper(Eigen::VectorXd::Constant(size.bounded_rows, std::numeric_limits<double>::infinity())) {}

HierarchyProblem::HierarchyProblem(int columns, const std::vector<HierarchyLevelSize>& sizes) {
  for (const HierarchyLevelSize& size : sizes) levels.emplace_back(size, columns);
}

class TaskHierarchy::Implementation {
 public:
  Implementation(int columns, const std::vector<HierarchyLevelSize>& sizes, const Settings& settings);
  SolveStatus solve(const HierarchyProblem& problem);

  HierarchySolution solution;
  HierarchyActiveSet active_set;

 private:
  SolveStatus check(const HierarchyProblem& problem) const;
  bool is_finite() const;
  void clear();
};

TaskHierarchy::Implementation::Implementation(int columns, const std::vector<HierarchyLevelSize>& sizes,
                                              const Settings& settings)
    : active_set(columns, sizes, settings.rank_tolerance, settings.max_operations) {
  solution.x.setZero(columns);
  for (const HierarchyLevelSize& size : sizes) {
    HierarchyLevelReport report;
    report.residual.setZero(size.equality_rows);
    report.violation.setZero(size.bounded_rows);
    report.state.assign(static_cast<std::size_t>(size.bounded_rows), BoundState::free);
    solution.levels.push_back(std::move(report));
  }
}

SolveStatus TaskHierarchy::Implementation::solve(const HierarchyProblem& problem) {
  SolveStatus status = check(problem);
  if (status == SolveStatus::solved) {
    status = active_set.solve(problem, solution);
    if (is_finite()) return status;
    status = SolveStatus::numerical_trouble;
  }
  clear();
  return status;
}

SolveStatus TaskHierarchy::Implementation::check(const HierarchyProblem& problem) const {
  if (problem.levels.size() != solution.levels.size()) return SolveStatus::wrong_size;
  const auto columns = solution.x.size();
  for (std::size_t k = 0; k < problem.levels.size(); ++k) {
    const HierarchyLevel& level = problem.levels[k];
    const auto equality_rows = solution.levels[k].residual.size();
    const auto bounded_rows = solution.levels[k].violation.size();
    const bool has_right_size = level.A.rows() == equality_rows && level.A.cols() == columns &&
                                level.b.size() == equality_rows && level.C.rows() == bounded_rows &&
                                level.C.cols() == columns && level.lower.size() == bounded_rows &&
                                level.upper.size() == bounded_rows;
    if (!has_right_size) return SolveStatus::wrong_size;
    if (!is_within_range(level.A) || !is_within_range(level.b) || !is_within_range(level.C)) {
      return SolveStatus::invalid_value;
    }
    const SolveStatus bounds = check_bounds(level.lower, level.upper);
    if (bounds != SolveStatus::solved) return bounds;
  }
  return SolveStatus::solved;
}

bool TaskHierarchy::Implementation::is_finite() const {
  const auto all_finite = [](const Eigen::VectorXd& values) { return std::isfinite((values * 0.0).sum()); };
  return all_finite(solution.x) && std::all_of(solution.levels.begin(), solution.levels.end(), [&](const auto& level) {
           return all_finite(level.residual) && all_finite(level.violation) && std::isfinite(level.damping);
         });
}

void TaskHierarchy::Implementation::clear() {
  active_set.forget();
  solution.x.setZero();
  solution.iterations = 0;
  for (HierarchyLevelReport& level : solution.levels) {
    level.residual.setZero();
    level.violation.setZero();
    std::fill(level.state.begin(), level.state.end(), BoundState::free);
    level.rank = 0;
    level.damping = 0.0;
  }
}

TaskHierarchy::TaskHierarchy(int columns, const std::vector<HierarchyLevelSize>& sizes, const Settings& settings) {
  const bool is_negative = columns < 0 || std::any_of(sizes.begin(), sizes.end(), [](const HierarchyLevelSize& size) {
                             return size.equality_rows < 0 || size.bounded_rows < 0;
                           });
  if (is_negative) throw InvalidValue("a hierarchy cannot have a negative number of columns or rows");
  if (!(settings.rank_tolerance >= 1e-10 && settings.rank_tolerance < 0.1)) {
    throw InvalidValue("rank tolerance " + std::to_string(settings.rank_tolerance) +
                       " of a hierarchy is not in [1e-10, 0.1); 1e-6 is usual");
  }
  if (!(settings.max_operations > 0.0)) {
    throw InvalidValue("the budget of a hierarchy is " + std::to_string(settings.max_operations) +
                       " operations; it must be positive");
  }
  implementation_ = std::make_unique<Implementation>(columns, sizes, settings);
}

TaskHierarchy::~TaskHierarchy() = default;
TaskHierarchy::TaskHierarchy(TaskHierarchy&&) noexcept = default;
TaskHierarchy& TaskHierarchy::operator=(TaskHierarchy&&) noexcept = default;

SolveStatus TaskHierarchy::solve(const HierarchyProblem& problem) noexcept { return implementation_->solve(problem); }

const HierarchySolution& TaskHierarchy::solution() const noexcept { return implementation_->solution; }

void TaskHierarchy::forget() noexcept { implementation_->active_set.forget(); }

}  // namespace aplomb
