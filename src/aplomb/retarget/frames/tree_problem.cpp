#include "aplomb/retarget/frames/tree_problem.hpp"

#include <cmath>

namespace aplomb {

TreeProblem::TreeProblem(const TreeColumns& columns, int num_rows)
    : hessian(columns),
      gradient(Eigen::VectorXd::Zero(columns.size())),
      rows(RowMatrix::Zero(num_rows, columns.size())),
      row_value(Eigen::VectorXd::Zero(num_rows)),
      row_softness(Eigen::VectorXd::Constant(num_rows, 1e-12)),
      row_kind(static_cast<std::size_t>(num_rows), RowKind::off),
      lower(Eigen::VectorXd::Constant(columns.size(), -HUGE_VAL)),
      upper(Eigen::VectorXd::Constant(columns.size(), HUGE_VAL)),
      factor_(columns),
      held_(static_cast<std::size_t>(columns.size()), 0),
      acts_(static_cast<std::size_t>(num_rows), 0),
      along_(columns.size(), num_rows),
      schur_(num_rows, num_rows),
      schur_factor_(num_rows),
      step_(columns.size()),
      fixed_(columns.size()),
      multipliers_(Eigen::VectorXd::Zero(num_rows)),
      work_(columns.size()),
      residual_(columns.size()) {}

void TreeProblem::forget() {
  held_.assign(held_.size(), 0);
  acts_.assign(acts_.size(), 0);
}

bool TreeProblem::solve() {
  for (std::size_t row = 0; row < acts_.size(); ++row) {
    if (row_kind[row] != RowKind::at_least) acts_[row] = row_kind[row] == RowKind::equal ? 1 : 0;
  }
  // Making all changes at once finds the set in a few rounds, but may cycle. One change at a time, always the first,
  // cannot cycle (Murty 1974; softness makes the rows independent), but may take long. After that, columns are only
  // held, never released, which is certain to end.
  constexpr int kFreeRounds = 8, kSingleRounds = 200;
  const int most_rounds = kFreeRounds + kSingleRounds + static_cast<int>(held_.size() + acts_.size());
  for (working_sets_ = 1; working_sets_ <= most_rounds; ++working_sets_) {
    if (!solve_working_set()) return false;
    const int round = working_sets_;
    changes_ = round < kFreeRounds                   ? Changes::all
               : round < kFreeRounds + kSingleRounds ? Changes::first
                                                     : Changes::hold;
    if (!revise()) return true;
  }
  return true;
}

/// The step with the held columns at their bounds:  H s = −g − Eᵀλ,  E s + c = ε λ,  by the Schur complement
///   (E H⁻¹Eᵀ + ε) λ = c − E H⁻¹ g.
bool TreeProblem::solve_working_set() {
  bool any_held = false;
  fixed_.setZero();
  for (Eigen::Index k = 6; k < fixed_.size(); ++k) {
    const char side = held_[static_cast<std::size_t>(k)];
    if (side == 0) continue;
    fixed_[k] = side < 0 ? lower[k] : upper[k];
    any_held = true;
  }
  if (!factor_.compute(hessian, held_)) return false;
  step_ = -gradient;
  if (any_held) {
    hessian.multiply(fixed_, work_);
    step_ -= work_;
    for (Eigen::Index k = 6; k < fixed_.size(); ++k) {
      if (held_[static_cast<std::size_t>(k)] != 0) step_[k] = 0.0;
    }
  }
  factor_.solve_transposed(step_);
  write_schur();
  schur_factor_.compute(schur_);
  if (schur_factor_.info() != Eigen::Success) return false;
  for (Eigen::Index row = 0; row < multipliers_.size(); ++row) {
    const bool acts = acts_[static_cast<std::size_t>(row)] != 0;
    multipliers_[row] = acts ? row_value[row] + along_.col(row).dot(step_) : 0.0;
    if (acts && any_held) multipliers_[row] += rows.row(row).dot(fixed_);
  }
  schur_factor_.solveInPlace(multipliers_);
  step_.noalias() -= along_ * multipliers_;
  factor_.solve(step_);
  if (any_held) {
    for (Eigen::Index k = 6; k < fixed_.size(); ++k) {
      if (held_[static_cast<std::size_t>(k)] != 0) step_[k] = fixed_[k];
    }
  }
  return true;
}

void TreeProblem::write_schur() {
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    if (acts_[static_cast<std::size_t>(row)] == 0) {
      along_.col(row).setZero();
      continue;
    }
    along_.col(row) = rows.row(row).transpose();
    for (Eigen::Index k = 6; k < fixed_.size(); ++k) {
      if (held_[static_cast<std::size_t>(k)] != 0) along_(k, row) = 0.0;
    }
    factor_.solve_transposed(along_.col(row));
  }
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) schur_(i, j) = along_.col(i).dot(along_.col(j));
    schur_(i, i) = acts_[static_cast<std::size_t>(i)] != 0 ? along_.col(i).squaredNorm() + row_softness[i] : 1.0;
  }
}

/// Corrects the working set where the solution violates a bound or a sign; false when there is nothing to correct.
bool TreeProblem::revise() {
  constexpr double kSlack = 1e-12;
  bool is_changed = revise_bounds();
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    if (is_changed && changes_ == Changes::first) return true;
    const auto i = static_cast<std::size_t>(row);
    if (row_kind[i] != RowKind::at_least) continue;
    if (acts_[i] == 0 && rows.row(row).dot(step_) + row_value[row] < -kSlack) {
      acts_[i] = 1;
      is_changed = true;
    } else if (acts_[i] != 0 && multipliers_[row] > 0.0 && changes_ != Changes::hold) {
      acts_[i] = 0;
      is_changed = true;
    }
  }
  return is_changed;
}

bool TreeProblem::revise_bounds() {
  constexpr double kSlack = 1e-12;
  bool is_changed = false, has_residual = false;
  double slack = 0.0;
  for (Eigen::Index k = 6; k < step_.size(); ++k) {
    if (is_changed && changes_ == Changes::first) return true;
    char& side = held_[static_cast<std::size_t>(k)];
    if (side == 0) {
      if (step_[k] >= lower[k] - kSlack && step_[k] <= upper[k] + kSlack) continue;
      side = step_[k] < lower[k] ? -1 : 1;
      is_changed = true;
    } else if (changes_ != Changes::hold) {
      if (!has_residual) {
        hessian.multiply(step_, residual_);
        residual_ += gradient;
        residual_.noalias() += rows.transpose() * multipliers_;
        has_residual = true;
        slack = 1e-13 * (1.0 + multipliers_.cwiseAbs().maxCoeff());  // rounding of large forces that cancel
      }
      // The bound must push up at the lower limit, and down at the upper one.
      if (residual_[k] * side <= slack) continue;
      side = 0;
      is_changed = true;
    }
  }
  return is_changed;
}

}  // namespace aplomb
