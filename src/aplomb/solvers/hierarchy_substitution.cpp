// HierarchyFactor: what is done with the factors.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/solvers/hierarchy_factor.hpp"
#include "aplomb/solvers/householder.hpp"

namespace aplomb {
namespace {

constexpr int kMaxInverseIterations = 50;
constexpr double kConverged = 1e-12;

/// rhs ← L⁻¹ rhs, L the lower triangle at `factor`
void solve_lower(const double* factor, Eigen::Index stride, double* rhs, int size) {
  for (int col = 0; col < size; ++col) {
    rhs[col] /= factor[col * stride + col];
    for (int row = col + 1; row < size; ++row) rhs[row] -= factor[col * stride + row] * rhs[col];
  }
}

/// rhs ← L⁻ᵀ rhs
void solve_lower_transposed(const double* factor, Eigen::Index stride, double* rhs, int size) {
  for (int col = size - 1; col >= 0; --col) {
    for (int row = col + 1; row < size; ++row) rhs[col] -= factor[col * stride + row] * rhs[row];
    rhs[col] /= factor[col * stride + col];
  }
}

}  // namespace

void HierarchyFactor::solve(Eigen::VectorXd& x) {
  z_.setZero();
  for (int k = 0; k < num_levels_; ++k) {
    const Level& level = levels_[k];
    if (level.num_rows == 0) continue;
    auto residual = residual_.segment(level.first_row, level.num_rows);
    residual = -rhs_.segment(level.first_row, level.num_rows);
    const auto rows = rows_.middleRows(level.first_row, level.num_rows);
    residual.noalias() += rows.leftCols(level.first_column) * z_.head(level.first_column);
    work_.head(level.num_rows) = -residual;
    work_.segment(level.num_rows, level.rank).setZero();
    solve_small(level, work_.data());
    z_.segment(level.first_column, level.rank) = work_.head(level.rank);
    if (level.is_triangular) {
      residual.setZero();
    } else {
      residual.noalias() += rows.middleCols(level.first_column, level.rank) * work_.head(level.rank);
    }
  }
  for (int i = num_decided_ - 1; i >= 0; --i) {
    reflect(reflectors_.col(i).data() + i, tau_[i], z_.data() + i, columns_ - i);
  }
  x = z_;
}

/// rhs: num_rows entries, and zeros for the damping; the answer is in the first `rank`.
void HierarchyFactor::solve_small(const Level& level, double* rhs) const {
  if (level.is_triangular) {
    solve_lower(triangle(level), rows_.rows(), rhs, level.rank);
    return;
  }
  const int size = level.num_rows + (level.damping > 0.0 ? level.rank : 0);
  for (int i = 0; i < level.rank; ++i) {
    const int column = level.first_column + i;
    reflect(small_.col(column).data() + i, small_tau_[column], rhs + i, size - i);
  }
  solve_upper(small_triangle(level), small_.rows(), rhs, level.rank);
}

/// rhs: `rank` entries; the answer is in the first num_rows. rhs must have room for num_rows + rank.
void HierarchyFactor::solve_small_transposed(const Level& level, double* rhs) const {
  if (level.is_triangular) {
    solve_lower_transposed(triangle(level), rows_.rows(), rhs, level.rank);
    return;
  }
  const int size = level.num_rows + (level.damping > 0.0 ? level.rank : 0);
  solve_upper_transposed(small_triangle(level), small_.rows(), rhs, level.rank);
  std::fill(rhs + level.rank, rhs + size, 0.0);
  for (int i = level.rank - 1; i >= 0; --i) {
    const int column = level.first_column + i;
    reflect(small_.col(column).data() + i, small_tau_[column], rhs + i, size - i);
  }
}

/// By inverse iteration; leaves its direction in `weak_`.
double HierarchyFactor::smallest_singular_value(const Level& level) {
  auto direction = weak_.col(level.first_column).head(level.rank);
  for (int i = 0; i < level.rank; ++i) direction[i] = 1.0 + 0.1 * i;  // no symmetry that a weak direction could have
  const double* lower = triangle(level);
  const double* upper = small_triangle(level);
  double value = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxInverseIterations; ++i) {
    direction.normalize();
    if (level.is_triangular) {
      solve_lower_transposed(lower, rows_.rows(), direction.data(), level.rank);
    } else {
      solve_upper_transposed(upper, small_.rows(), direction.data(), level.rank);
    }
    // For a unit y, |L⁻ᵀ y| is at most 1/σ, and equal to it when y has become the weak direction.
    const double before = value;
    value = 1.0 / direction.norm();
    if (level.is_triangular) {
      solve_lower(lower, rows_.rows(), direction.data(), level.rank);
    } else {
      solve_upper(upper, small_.rows(), direction.data(), level.rank);
    }
    if (std::abs(before - value) <= kConverged * value) break;
  }
  direction.normalize();
  return value;
}

void HierarchyFactor::weak_direction(int level, Eigen::VectorXd& direction) const {
  const int first = levels_[level].first_column;
  const int rank = levels_[level].rank;
  direction.setZero();
  direction.segment(first, rank) = weak_.col(first).head(rank);
  for (int i = first + rank - 1; i >= 0; --i) {
    reflect(reflectors_.col(i).data() + i, tau_[i], direction.data() + i, columns_ - i);
  }
}

bool HierarchyFactor::has_residual(int level) const { return !levels_[level].is_triangular; }

void HierarchyFactor::compute_multipliers(int level) {
  const Level& asking = levels_[level];
  gradient_.head(asking.first_column).noalias() =
      rows_.block(asking.first_row, 0, asking.num_rows, asking.first_column).transpose() *
      residual_.segment(asking.first_row, asking.num_rows);
  for (int k = level - 1; k >= 0; --k) {
    const Level& above = levels_[k];
    if (above.num_rows == 0) continue;
    work_.head(above.rank) = -gradient_.segment(above.first_column, above.rank);
    solve_small_transposed(above, work_.data());
    auto multipliers = multipliers_.segment(above.first_row, above.num_rows);
    multipliers = work_.head(above.num_rows);
    gradient_.head(above.first_column).noalias() +=
        rows_.block(above.first_row, 0, above.num_rows, above.first_column).transpose() * multipliers;
  }
}

}  // namespace aplomb
