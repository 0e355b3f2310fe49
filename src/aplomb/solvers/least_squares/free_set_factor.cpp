#include "aplomb/solvers/least_squares/free_set_factor.hpp"

#include <algorithm>
#include <utility>

#include "aplomb/solvers/hierarchy/householder.hpp"

namespace aplomb {

FreeSetFactor::FreeSetFactor(int equality_rows, int rows, int columns)
    : equality_(equality_rows, columns),
      objective_(rows, columns),
      equality_tau_(columns),
      objective_tau_(columns),
      length_(columns),
      remaining_(columns),
      scratch_(std::max(columns, equality_rows)),
      order_(static_cast<std::size_t>(columns)) {}

void FreeSetFactor::factor(const Eigen::Ref<const Eigen::MatrixXd>& C, const Eigen::Ref<const Eigen::MatrixXd>& W,
                           std::span<const int> columns) {
  count_ = static_cast<int>(columns.size());
  rows_ = static_cast<int>(W.rows());
  std::copy(columns.begin(), columns.end(), order_.begin());
  for (int i = 0; i < count_; ++i) {
    equality_.col(i) = C.col(columns[i]);
    objective_.col(i).head(rows_) = W.col(columns[i]);
    length_[i] = equality_.col(i).norm();
  }
  equality_rank_ = pivoted_qr(equality_, equality_tau_, static_cast<int>(equality_.rows()), 0);
  eliminate_basic();
  rank_ = pivoted_qr(objective_, objective_tau_, rows_, equality_rank_);
}

/// C p = 0 makes the basic p₁ = −R₁₁⁻¹ R₁₂ p₂, so that W p = (W₂ − W₁ R₁₁⁻¹ R₁₂) p₂.
void FreeSetFactor::eliminate_basic() {
  double rounding = 0.0;  // effect of an error of C on W, through the basic columns
  for (int basic = 0; basic < equality_rank_; ++basic) {
    rounding += objective_.col(basic).head(rows_).norm() / length_[basic];
  }
  for (int col = equality_rank_; col < count_; ++col) {
    const double equality_length = length_[col];
    length_[col] = objective_.col(col).head(rows_).norm();
    if (equality_rank_ == 0) continue;
    length_[col] += rounding * equality_length;
    double* share = equality_.col(col).data();
    solve_upper(equality_.data(), equality_.rows(), share, equality_rank_);
    for (int basic = 0; basic < equality_rank_; ++basic) {
      objective_.col(col).head(rows_) -= share[basic] * objective_.col(basic).head(rows_);
    }
  }
}

/// Pivoted QR of the columns from `first` on: moves the independent ones to the front and returns their number.
int FreeSetFactor::pivoted_qr(Eigen::MatrixXd& matrix, Eigen::VectorXd& tau, int rows, int first) {
  const auto is_independent = [&](int col, double squared) {
    const double least = kDependent * length_[col];
    return squared > least * least;
  };
  for (int step = 0;; ++step) {
    const int target = first + step;
    if (step == rows || target == count_) return step;
    int pivot = -1;
    for (int col = target; col < count_; ++col) {
      // Recomputed, not updated: updating loses the small remainders that decide about rank.
      remaining_[col] = matrix.col(col).segment(step, rows - step).squaredNorm();
      if (is_independent(col, remaining_[col]) && (pivot < 0 || remaining_[col] > remaining_[pivot])) pivot = col;
    }
    if (pivot < 0) return step;
    swap_columns(target, pivot);
    double* stored = matrix.col(target).data() + step;
    tau[target] = make_reflector(stored, rows - step);
    for (int col = target + 1; col < count_; ++col) {
      reflect(stored, tau[target], matrix.col(col).data() + step, rows - step);
    }
  }
}

void FreeSetFactor::swap_columns(int a, int b) {
  if (a == b) return;
  equality_.col(a).swap(equality_.col(b));
  objective_.col(a).head(rows_).swap(objective_.col(b).head(rows_));
  std::swap(length_[a], length_[b]);
  std::swap(order_[a], order_[b]);
}

void FreeSetFactor::solve(Eigen::VectorXd& e, Eigen::VectorXd& r, Eigen::VectorXd& p) {
  p.setZero();
  for (int i = 0; i < equality_rank_; ++i) {
    reflect(equality_.col(i).data() + i, equality_tau_[i], e.data() + i, equality_.rows() - i);
  }
  solve_upper(equality_.data(), equality_.rows(), e.data(), equality_rank_);
  for (int i = 0; i < equality_rank_; ++i) r.head(rows_) -= e[i] * objective_.col(i).head(rows_);
  for (int i = 0; i < rank_; ++i) {
    const int col = equality_rank_ + i;
    reflect(objective_.col(col).data() + i, objective_tau_[col], r.data() + i, rows_ - i);
  }
  if (rank_ > 0) solve_upper(objective_.col(equality_rank_).data(), objective_.rows(), r.data(), rank_);
  for (int i = 0; i < rank_; ++i) {
    const int col = equality_rank_ + i;
    e.head(equality_rank_) -= r[i] * equality_.col(col).head(equality_rank_);
    p[order_[col]] = r[i];
  }
  for (int i = 0; i < equality_rank_; ++i) p[order_[i]] = e[i];
}

void FreeSetFactor::equality_multipliers(const Eigen::VectorXd& gradient, Eigen::VectorXd& mu) {
  mu.setZero();
  for (int i = 0; i < equality_rank_; ++i) mu[i] = gradient[order_[i]];
  solve_upper_transposed(equality_.data(), equality_.rows(), mu.data(), equality_rank_);
  for (int i = equality_rank_ - 1; i >= 0; --i) {
    reflect(equality_.col(i).data() + i, equality_tau_[i], mu.data() + i, equality_.rows() - i);
  }
}

}  // namespace aplomb
