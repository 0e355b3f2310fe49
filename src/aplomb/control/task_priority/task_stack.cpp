#include "aplomb/control/task_priority/task_stack.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

// A level is damped where its smallest singular value, over its longest row, is below ten times this (TaskHierarchy).
// Joint speeds grow with its inverse: at half the joints become twice as fast before the damping begins. Tuned.
constexpr double kRankTolerance = 5e-3;
// Damping, over the longest row, at which all authority over a direction counts as lost.
constexpr double kLostDamping = 5.0 * kRankTolerance;
constexpr double kStill = 1e-3;         // [rad/s] residual of the joints that counts as met
constexpr double kUnmetFraction = 0.2;  // a row with a larger residual, over its velocity, counts as unmet. Tuned
constexpr double kLeastRequest = 0.05;  // least fraction of its velocity that is requested of an unmet row. Tuned
// [s] time constants with which the request of an unmet row falls and that of a met row rises. Tuned: quickly down
// and slowly up, so that a row at its bound does not switch to and fro.
constexpr double kRelaxTime = 0.02, kRestoreTime = 0.3;

std::vector<HierarchyLevelSize> sizes_of(int num_joints, const std::vector<TaskStack::Level>& levels) {
  std::vector<HierarchyLevelSize> sizes = {{.bounded_rows = num_joints}};
  for (const TaskStack::Level& level : levels) sizes.push_back({.equality_rows = level.rows});
  return sizes;
}

}  // namespace

TaskStack::TaskStack(int num_joints, std::vector<Level> levels)
    : levels_(std::move(levels)),
      problem_(num_joints, sizes_of(num_joints, levels_)),
      hierarchy_(num_joints, sizes_of(num_joints, levels_), {.rank_tolerance = kRankTolerance}) {
  for (const Level& level : levels_) requested_.emplace_back(Eigen::VectorXd::Ones(level.rows));
  problem_.levels[0].C.setIdentity();
}

bool TaskStack::solve(const StandingKinematics& kinematics, double time_s, const JointBounds& bounds,
                      const Eigen::VectorXd& comfort, Eigen::VectorXd& rates) {
  problem_.levels[0].lower = bounds.lower() - comfort;
  problem_.levels[0].upper = bounds.upper() - comfort;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    HierarchyLevel& level = problem_.levels[k + 1];
    int row = 0;
    for (const auto& [task, weight] : levels_[k].tasks) {
      const int rows = task->num_rows();
      task->write(kinematics, time_s, {level.A.middleRows(row, rows), level.b.segment(row, rows)});
      if (weight != 1.0) {
        level.A.middleRows(row, rows) *= weight;
        level.b.segment(row, rows) *= weight;
      }
      row += rows;
    }
    if (k > 0) level.b.array() *= requested_[k].array();
    // The hierarchy returns the shortest solution. With q̇ − comfort as the unknown, q̇ is comfort where no level
    // decides.
    level.b.noalias() -= level.A * comfort;
  }
  if (hierarchy_.solve(problem_) != SolveStatus::solved) return false;
  rates = (hierarchy_.solution().x + comfort).cwiseMax(bounds.lower()).cwiseMin(bounds.upper());
  for (std::size_t k = 1; k < levels_.size(); ++k) relax_unmet_rows(k, comfort);
  return true;
}

void TaskStack::relax_unmet_rows(std::size_t index, const Eigen::VectorXd& comfort) {
  const HierarchyLevel& rows = problem_.levels[index + 1];
  const Eigen::VectorXd& residual = hierarchy_.solution().levels[index + 1].residual;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const double wanted = rows.b[i] + rows.A.row(i).dot(comfort);
    const bool is_unmet = std::abs(residual[i]) > kUnmetFraction * std::abs(wanted) + kStill * rows.A.row(i).norm();
    double& requested = requested_[index][i];
    requested +=
        is_unmet ? -kControlPeriod / kRelaxTime * requested : kControlPeriod / kRestoreTime * (1.0 - requested);
    requested = std::max(requested, kLeastRequest);
  }
}

double TaskStack::lost_authority() const {
  double lost = 0.0;
  for (std::size_t k : {1, 2}) {
    const double longest = problem_.levels[k].A.rowwise().norm().maxCoeff();
    lost = std::max(lost, hierarchy_.solution().levels[k].damping / std::max(kLostDamping * longest, 1e-12));
  }
  return lost;
}

int TaskStack::num_damped_levels() const {
  int count = 0;
  for (const HierarchyLevelReport& level : hierarchy_.solution().levels) count += level.damping > 0.0;
  return count;
}

int TaskStack::num_active_bounds() const {
  int count = 0;
  for (BoundState state : hierarchy_.solution().levels[0].state) count += state != BoundState::free;
  return count;
}

}  // namespace aplomb
