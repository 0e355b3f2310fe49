#include "aplomb/control/partial_force/closed_form_law.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace aplomb {
namespace {

constexpr double kRankTolerance = 1e-6;  // over the largest pivot: far above rounding, far below any lever of a sole

std::vector<HierarchyLevelSize> sizes_of(const ForceProblem& problem, const LevelOrder& order) {
  std::vector<HierarchyLevelSize> sizes = {{.equality_rows = problem.num_force_rows()}};
  for (const std::size_t level : order) {
    sizes.push_back({.equality_rows = static_cast<int>(problem.levels[level].b.size())});
  }
  return sizes;
}

bool is_carrying(const ForceContact& contact, bool with_shared) {
  return contact.role == ContactRole::supporting || (with_shared && contact.share);
}

}  // namespace

ClosedFormLaw::ClosedFormLaw(const RobotModel& model, const ForceProblem& shape, LevelOrder order)
    : model_(&model),
      order_(std::move(order)),
      inverse_dynamics_(model, {}),
      hierarchy_(model.nv(), sizes_of(shape, order_)),
      rows_(model.nv(), sizes_of(shape, order_)),
      rest_(Eigen::VectorXd::Zero(model.nv())),
      spread_(Eigen::VectorXd::Zero(shape.num_force_rows())),
      base_(Eigen::MatrixXd::Zero(shape.num_force_rows(), 6)),
      qr_(shape.num_force_rows(), 6) {
  qr_.setThreshold(kRankTolerance);
}

bool ClosedFormLaw::accelerate(const ForceProblem& problem) {
  HierarchyLevel& first = rows_.levels.front();
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    const bool is_there = contact.role != ContactRole::free;
    first.A.middleRows(row, contact.num_rows()) = (is_there ? 1.0 : 0.0) * contact.jacobian;
    first.b.segment(row, contact.num_rows()) = (is_there ? 1.0 : 0.0) * contact.acceleration;
    row += contact.num_rows();
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    rows_.levels[i + 1].A = problem.levels[order_[i]].A;
    rows_.levels[i + 1].b = problem.levels[order_[i]].b;
  }
  return hierarchy_.solve(rows_) == SolveStatus::solved;
}

void ClosedFormLaw::take_off(const ForceContact& contact, const Eigen::VectorXd& force) {
  rest_.noalias() -= contact.jacobian.transpose() * force;
}

bool ClosedFormLaw::distribute(const ForceProblem& problem, bool with_shared) {
  // f = Wf J_b (J_bᵀ Wf J_b)⁻¹ rest_b
  Eigen::Matrix<double, 6, 6> normal = Eigen::Matrix<double, 6, 6>::Zero();
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    const int count = contact.num_rows();
    auto block = base_.middleRows(row, count);
    if (is_carrying(contact, with_shared)) {
      block = contact.jacobian.leftCols<6>();
      for (int i = 0; i < count; ++i) {
        const Vector6d row_of_base = block.row(i).transpose();
        normal.noalias() += (row_of_base / contact.weight[i]) * row_of_base.transpose();
      }
    } else {
      block.setZero();
    }
    row += count;
  }
  qr_.compute(base_);
  rank_ = static_cast<int>(qr_.rank());
  if (rank_ < 6) return false;
  const Eigen::LDLT<Eigen::Matrix<double, 6, 6>> factor(normal);
  const Vector6d wanted = rest_.head<6>();
  Vector6d multipliers = factor.solve(wanted);
  multipliers += factor.solve(Vector6d(wanted - normal * multipliers));  // refined, since the weights differ by 1e4
  spread_.noalias() = base_ * multipliers;
  row = 0;
  for (const ForceContact& contact : problem.contacts) {
    spread_.segment(row, contact.num_rows()).array() /= contact.weight.array();
    row += contact.num_rows();
  }
  return true;
}

void ClosedFormLaw::take_controlled(const ForceProblem& problem, ForceSolution& solution) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    solution.force[i].setZero();
    if (contact.role != ContactRole::controlled) continue;
    solution.force[i] = contact.force;
    if (!contact.share) take_off(contact, solution.force[i]);
  }
}

bool ClosedFormLaw::take_distributed(const ForceProblem& problem, bool of_shared, ForceSolution& solution) {
  if (!distribute(problem, of_shared)) return false;
  int row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    const bool is_meant = of_shared ? contact.share.has_value() : contact.role == ContactRole::supporting;
    if (is_meant) {
      solution.force[i] += contact.share.value_or(1.0) * spread_.segment(row, contact.num_rows());
      take_off(contact, solution.force[i]);
    }
    row += contact.num_rows();
  }
  return true;
}

bool ClosedFormLaw::solve(const RobotState& state, const ForceProblem& problem, ForceSolution& solution) {
  if (!accelerate(problem)) return false;
  solution.acceleration = hierarchy_.solution().x;
  rest_ = inverse_dynamics_.compute(state, solution.acceleration);
  take_controlled(problem, solution);
  const bool has_shares =
      std::ranges::any_of(problem.contacts, [](const ForceContact& contact) { return contact.share.has_value(); });
  if (has_shares && !take_distributed(problem, /*of_shared=*/true, solution)) return false;
  if (!take_distributed(problem, /*of_shared=*/false, solution)) return false;
  solution.torque = rest_.tail(model_->num_joints());
  return true;
}

}  // namespace aplomb
