#include "aplomb/control/partial_force/full_force_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/control/contact/contact_limits.hpp"

namespace aplomb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kForceWeight = 0.1;  // [rad/s²] per unit of Wf^(−1/2) f: 1 rad/s² is 37 N tangential on CoMan; tuned
constexpr double kStopTolerance = 0.01;  // [rad/s²] tolerated excess: a joint at rest at its stop needs no second solve

int num_contact_limits(const ForceProblem& problem) {
  int rows = 0;
  for (const ForceContact& contact : problem.contacts) rows += num_limits(contact);
  return rows;
}

std::vector<HierarchyLevelSize> sizes_of(const ForceProblem& problem, const LevelOrder& order, int num_joints,
                                         bool has_limits) {
  const int forces = problem.num_force_rows();
  std::vector<HierarchyLevelSize> sizes = {{.equality_rows = 6 + forces},
                                           {.bounded_rows = has_limits ? num_contact_limits(problem) + num_joints : 0},
                                           {.bounded_rows = has_limits ? num_joints : 0},
                                           {.equality_rows = forces}};
  for (const std::size_t level : order) {
    sizes.push_back({.equality_rows = static_cast<int>(problem.levels[level].b.size())});
  }
  sizes.back().equality_rows += forces;
  sizes.push_back({.equality_rows = forces});
  return sizes;
}

/// `budget` factorisations of all rows, bounded ones included; 0: no budget.
TaskHierarchy::Settings budget_for(double budget, int columns, const std::vector<HierarchyLevelSize>& sizes) {
  if (!(budget > 0.0)) return {};
  double rows = 0.0;
  for (const HierarchyLevelSize& size : sizes) rows += size.equality_rows + size.bounded_rows;
  return {.max_operations = budget * rows * columns * columns};
}

}  // namespace

FullForceLaw::FullForceLaw(const RobotModel& model, const ForceProblem& shape, LevelOrder order, bool has_limits,
                           double budget)
    : model_(&model),
      order_(std::move(order)),
      has_limits_(has_limits),
      torque_limit_(model.num_joints()),
      hierarchy_(model.nv() + shape.num_force_rows(), sizes_of(shape, order_, model.num_joints(), has_limits),
                 budget_for(budget, model.nv() + shape.num_force_rows(),
                            sizes_of(shape, order_, model.num_joints(), has_limits))),
      rows_(model.nv() + shape.num_force_rows(), sizes_of(shape, order_, model.num_joints(), has_limits)) {
  for (int i = 0; i < model.num_joints(); ++i) torque_limit_[i] = model.joints()[static_cast<std::size_t>(i)].effort;
}

FullForceLaw::Excess FullForceLaw::worst_excess(const ForceProblem& problem, const ForceSolution& solution) const {
  Excess worst;
  int row = 0;
  const auto look_at = [&](double amount) {
    if (amount > worst.amount) worst = {row, amount};
    ++row;
  };
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    for (int limit = 0; limit < num_limits(contact); ++limit) {
      look_at(contact.role == ContactRole::free ? 0.0 : excess(contact, solution.force[i], limit));
    }
  }
  for (int i = 0; i < model_->num_joints(); ++i) look_at(std::abs(solution.torque[i]) - torque_limit_[i]);
  for (Eigen::Index i = 0; i < problem.highest.size(); ++i) {
    const double acceleration = solution.acceleration[6 + i];
    look_at(std::max(acceleration - problem.highest[i], problem.lowest[i] - acceleration) - kStopTolerance);
  }
  return worst;
}

int FullForceLaw::torque_row(const ForceProblem& problem, int joint) const {
  return num_contact_limits(problem) + joint;
}

std::string FullForceLaw::name(const ForceProblem& problem, int row) const {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const int count = num_limits(problem.contacts[i]);
    if (row < count) return fmt::format("{}: {}", problem.contacts[i].name, limit_name(problem.contacts[i], row));
    row -= count;
  }
  const bool is_torque = row < model_->num_joints();
  if (!is_torque) row -= model_->num_joints();
  return (is_torque ? "torque of " : "stop of ") + model_->joints()[static_cast<std::size_t>(row)].name;
}

void FullForceLaw::write_physics(const RobotTerms& terms, const ForceProblem& problem) {
  HierarchyLevel& level = rows_.levels[0];
  const int nv = model_->nv();
  level.A.topLeftCorner(6, nv) = terms.mass_matrix().topRows<6>();
  level.b.head<6>() = -terms.bias().head<6>();
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    const int count = contact.num_rows();
    const double is_there = contact.role == ContactRole::free ? 0.0 : 1.0;
    level.A.block(0, nv + row, 6, count) = -is_there * contact.jacobian.leftCols<6>().transpose();
    level.A.block(6 + row, 0, count, nv) = is_there * contact.jacobian;
    level.b.segment(6 + row, count) = is_there * contact.acceleration;
    row += count;
  }
}

void FullForceLaw::write_limits(const RobotTerms& terms, const ForceProblem& problem) {
  HierarchyLevel& level = rows_.levels[1];
  const int nv = model_->nv(), num_joints = model_->num_joints();
  int row = 0, column = nv;
  for (const ForceContact& contact : problem.contacts) {
    const int count = num_limits(contact);
    auto block = level.C.block(row, column, count, contact.num_rows());
    aplomb::write_limits(contact, block);
    if (contact.role == ContactRole::free) block.setZero();
    level.upper.segment(row, count).setZero();
    level.lower.segment(row, count).setConstant(-kInfinity);
    // τ = M_j v̇ + h_j − Σ J_jᵀ f
    level.C.block(num_contact_limits(problem), column, num_joints, contact.num_rows()) =
        (contact.role == ContactRole::free ? 0.0 : -1.0) * contact.jacobian.rightCols(num_joints).transpose();
    row += count;
    column += contact.num_rows();
  }
  level.C.block(row, 0, num_joints, nv) = terms.mass_matrix().bottomRows(num_joints);
  level.lower.tail(num_joints) = -torque_limit_ - terms.bias().tail(num_joints);
  level.upper.tail(num_joints) = torque_limit_ - terms.bias().tail(num_joints);
}

void FullForceLaw::write_stops(const ForceProblem& problem) {
  HierarchyLevel& level = rows_.levels[2];
  level.C.block(0, 6, model_->num_joints(), model_->num_joints()).setIdentity();
  if (problem.highest.size() == 0) return;
  level.lower = problem.lowest;
  level.upper = problem.highest;
}

void FullForceLaw::write_tasks(const ForceProblem& problem, bool has_closed_form, const ForceSolution& solution) {
  const int nv = model_->nv();
  HierarchyLevel& controlled = rows_.levels[3];
  HierarchyLevel& internal = rows_.levels.back();
  HierarchyLevel& last_motion = rows_.levels[rows_.levels.size() - 2];
  last_motion.A.setZero();
  last_motion.b.setZero();
  const Eigen::Index first = problem.levels[order_.back()].b.size();
  controlled.A.setZero();
  controlled.b.setZero();
  internal.A.setZero();
  int row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    const Eigen::VectorXd& wanted = contact.share ? solution.force[i] : contact.force;
    for (int j = 0; j < contact.num_rows(); ++j, ++row) {
      if (contact.role == ContactRole::controlled) {
        controlled.A(row, nv + row) = 1.0;
        controlled.b[row] = wanted[j];
      } else if (contact.role == ContactRole::supporting) {
        internal.A(row, nv + row) = std::sqrt(contact.weight[j]);
        if (!has_closed_form) continue;
        last_motion.A(first + row, nv + row) = kForceWeight * std::sqrt(contact.weight[j]);
        last_motion.b[first + row] = last_motion.A(first + row, nv + row) * solution.force[i][j];
      }
    }
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const MotionLevel& wanted = problem.levels[order_[i]];
    rows_.levels[4 + i].A.topLeftCorner(wanted.A.rows(), nv) = wanted.A;
    rows_.levels[4 + i].b.head(wanted.b.size()) = wanted.b;
  }
}

SolveStatus FullForceLaw::solve(const RobotTerms& terms, const ForceProblem& problem, bool has_closed_form,
                                ForceSolution& solution) {
  write_physics(terms, problem);
  if (has_limits_) {
    write_limits(terms, problem);
    write_stops(problem);
  }
  write_tasks(problem, has_closed_form, solution);
  const SolveStatus status = hierarchy_.solve(rows_);
  if (status != SolveStatus::solved && status != SolveStatus::budget_spent) return status;
  read(terms, problem, solution);
  // The point that a solve has reached obeys the dynamics; its limits need not hold.
  if (status == SolveStatus::budget_spent) clamp_torques(solution);
  return status;
}

void FullForceLaw::clamp_torques(ForceSolution& solution) const {
  solution.torque = solution.torque.cwiseMin(torque_limit_).cwiseMax(-torque_limit_);
}

void FullForceLaw::read(const RobotTerms& terms, const ForceProblem& problem, ForceSolution& solution) const {
  const int nv = model_->nv(), num_joints = model_->num_joints();
  const Eigen::VectorXd& x = hierarchy_.solution().x;
  solution.acceleration = x.head(nv);
  solution.torque = terms.bias().tail(num_joints);
  solution.torque.noalias() += terms.mass_matrix().bottomRows(num_joints) * solution.acceleration;
  int column = nv;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    solution.force[i] = x.segment(column, contact.num_rows());
    column += contact.num_rows();
    if (contact.role == ContactRole::free) solution.force[i].setZero();
    solution.torque.noalias() -= contact.jacobian.rightCols(num_joints).transpose() * solution.force[i];
  }
}

double FullForceLaw::motion_residual(std::size_t level) const {
  const auto place = static_cast<std::size_t>(std::ranges::find(order_, level) - order_.begin());
  return hierarchy_.solution().levels[4 + place].residual.norm();
}

int FullForceLaw::active_limit() const {
  int row = 0;
  for (std::size_t level : {1u, 2u}) {
    for (const BoundState state : hierarchy_.solution().levels[level].state) {
      if (state != BoundState::free) return row;
      ++row;
    }
  }
  return -1;
}

}  // namespace aplomb
