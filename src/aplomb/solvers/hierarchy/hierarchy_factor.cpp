#include "aplomb/solvers/hierarchy/hierarchy_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/solvers/hierarchy/householder.hpp"

namespace aplomb {
namespace {

/// Relative part of a row outside the decided directions below which it is linearly dependent.
constexpr double kRounding = 1e-12;
/// Squared lengths updated by differences are recomputed when this fraction is left: half the digits have cancelled.
constexpr double kCancelled = 1e-6;

constexpr int kMaxInverseIterations = 50;  // linear convergence: reached only by nearly equal singular values
constexpr double kConverged = 1e-12;       // relative change of the smallest singular value

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

HierarchyFactor::HierarchyFactor(int columns, int max_rows, int num_levels)
    : columns_(columns),
      levels_(static_cast<std::size_t>(num_levels)),
      rows_(max_rows, columns),
      rhs_(max_rows),
      ids_(static_cast<std::size_t>(max_rows)),
      reflectors_(columns, columns),
      tau_(columns),
      small_(max_rows, columns),
      small_tau_(columns),
      z_(columns),
      decided_(columns),
      work_(max_rows),
      residual_(max_rows),
      multipliers_(max_rows),
      gradient_(columns),
      remaining_(max_rows),
      reference_(max_rows) {}

void HierarchyFactor::clear() {
  num_rows_ = 0;
  num_levels_ = 0;
}

void HierarchyFactor::start_level(double scale) {
  Level& level = levels_[num_levels_++];
  level = {};
  level.first_row = num_rows_;
  level.scale = scale;
}

void HierarchyFactor::append_equalities(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const int count = static_cast<int>(A.rows());
  rows_.middleRows(num_rows_, count) = A;
  rhs_.segment(num_rows_, count) = b;
  std::fill_n(ids_.begin() + num_rows_, count, -1);
  levels_[num_levels_ - 1].num_rows += count;
  num_rows_ += count;
}

void HierarchyFactor::append_bound(const Eigen::MatrixXd& C, Eigen::Index row, double bound, int id) {
  rows_.row(num_rows_) = C.row(row);
  rhs_[num_rows_] = bound;
  ids_[num_rows_] = id;
  ++levels_[num_levels_ - 1].num_rows;
  ++num_rows_;
}

void HierarchyFactor::append_damping(const Eigen::MatrixXd& directions, int count, double weight) {
  rows_.middleRows(num_rows_, count) = weight * directions.leftCols(count).transpose();
  rhs_.segment(num_rows_, count).setZero();
  std::fill_n(ids_.begin() + num_rows_, count, -1);
  levels_[num_levels_ - 1].num_rows += count;
  num_rows_ += count;
}

void HierarchyFactor::factor() {
  num_decided_ = 0;
  for (int k = 0; k < num_levels_; ++k) {
    Level& level = levels_[k];
    level.first_column = num_decided_;
    level.rank = reduce_rows(level);
    level.is_triangular = level.rank == level.num_rows;
    if (!level.is_triangular) factor_small(level);
    num_decided_ += level.rank;
  }
}

/// Householder LQ with row pivoting of the level's rows, in the columns that are left; returns the rank.
int HierarchyFactor::reduce_rows(const Level& level) {
  const int free_columns = columns_ - level.first_column;
  for (int row = level.first_row; row < level.first_row + level.num_rows; ++row) {
    remaining_[row] = rows_.row(row).tail(free_columns).squaredNorm();
    reference_[row] = remaining_[row];
  }
  for (int step = 0;; ++step) {
    const int column = level.first_column + step;
    if (step == level.num_rows || column == columns_) return step;
    const int pivot = choose_pivot(level, step, column);
    if (pivot < 0) return step;
    const int target = level.first_row + step;
    swap_rows(target, pivot);
    const int size = columns_ - column;
    auto stored = reflectors_.col(column).tail(size);
    stored = rows_.row(target).tail(size).transpose();
    tau_[column] = make_reflector(stored.data(), size);
    rows_.row(target).tail(size).setZero();
    rows_(target, column) = stored[0];
    stored[0] = 1.0;
    apply_to_rows_below(column, target + 1);
  }
}

/// The row with the largest remainder in the columns from `column` on; −1 when all remainders are rounding.
int HierarchyFactor::choose_pivot(const Level& level, int step, int column) {
  const double least = kRounding * level.scale;
  double most = least * least;
  int pivot = -1;
  for (int row = level.first_row + step; row < level.first_row + level.num_rows; ++row) {
    if (step > 0) remaining_[row] -= rows_(row, column - 1) * rows_(row, column - 1);
    if (remaining_[row] < kCancelled * reference_[row]) {
      remaining_[row] = rows_.row(row).tail(columns_ - column).squaredNorm();
      reference_[row] = remaining_[row];
    }
    if (remaining_[row] > most) {
      most = remaining_[row];
      pivot = row;
    }
  }
  return pivot;
}

void HierarchyFactor::swap_rows(int a, int b) {
  if (a == b) return;
  rows_.row(a).swap(rows_.row(b));
  std::swap(rhs_[a], rhs_[b]);
  std::swap(ids_[a], ids_[b]);
  std::swap(remaining_[a], remaining_[b]);
  std::swap(reference_[a], reference_[b]);
}

void HierarchyFactor::apply_to_rows_below(int column, int first_row) {
  const int count = num_rows_ - first_row;
  if (count == 0 || tau_[column] == 0.0) return;
  const auto v = reflectors_.col(column).tail(columns_ - column);
  auto block = rows_.block(first_row, column, count, columns_ - column);
  auto product = work_.head(count);
  product.noalias() = block * v;
  product *= tau_[column];
  block.noalias() -= product * v.transpose();
}

/// Factors L by QR.
void HierarchyFactor::factor_small(const Level& level) {
  const int size = level.num_rows;
  for (int i = 0; i < level.rank; ++i) {
    const int column = level.first_column + i;
    small_.col(column).head(size) = rows_.col(column).segment(level.first_row, size);
  }
  for (int i = 0; i < level.rank; ++i) {
    const int column = level.first_column + i;
    double* stored = small_.col(column).data() + i;
    small_tau_[column] = make_reflector(stored, size - i);
    for (int other = i + 1; other < level.rank; ++other) {
      reflect(stored, small_tau_[column], small_.col(level.first_column + other).data() + i, size - i);
    }
  }
}

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
    solve_small(level, work_.data());
    z_.segment(level.first_column, level.rank) = work_.head(level.rank);
    if (level.is_triangular) {
      residual.setZero();
    } else {
      residual.noalias() += rows.middleCols(level.first_column, level.rank) * work_.head(level.rank);
    }
  }
  decided_ = z_;
  to_x(num_decided_, z_.data());
  x = z_;
}

/// Solves min |L z − rhs|: rhs has num_rows entries, its first `rank` entries become z.
void HierarchyFactor::solve_small(const Level& level, double* rhs) const {
  if (level.is_triangular) {
    solve_lower(triangle(level), rows_.rows(), rhs, level.rank);
    return;
  }
  for (int i = 0; i < level.rank; ++i) {
    const int column = level.first_column + i;
    reflect(small_.col(column).data() + i, small_tau_[column], rhs + i, level.num_rows - i);
  }
  solve_upper(small_triangle(level), small_.rows(), rhs, level.rank);
}

/// Solves Lᵀ y = rhs for the shortest y: rhs has `rank` entries and room for the num_rows entries of y.
void HierarchyFactor::solve_small_transposed(const Level& level, double* rhs) const {
  if (level.is_triangular) {
    solve_lower_transposed(triangle(level), rows_.rows(), rhs, level.rank);
    return;
  }
  solve_upper_transposed(small_triangle(level), small_.rows(), rhs, level.rank);
  std::fill(rhs + level.rank, rhs + level.num_rows, 0.0);
  for (int i = level.rank - 1; i >= 0; --i) {
    const int column = level.first_column + i;
    reflect(small_.col(column).data() + i, small_tau_[column], rhs + i, level.num_rows - i);
  }
}

double HierarchyFactor::smallest_pivot(int level) const {
  const Level& judged = levels_[level];
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < judged.rank; ++i) {
    smallest = std::min(smallest, std::abs(rows_(judged.first_row + i, judged.first_column + i)));
  }
  return smallest;
}

/// Computes it by inverse iteration.
double HierarchyFactor::smallest_singular_value(int level, Eigen::VectorXd& direction) {
  const Level& judged = levels_[level];
  auto weak = z_.segment(judged.first_column, judged.rank);
  // Asymmetric, so not orthogonal to a symmetric weak direction.
  for (int i = 0; i < judged.rank; ++i) weak[i] = 1.0 + 0.1 * i;
  double value = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxInverseIterations; ++i) {
    weak.normalize();
    if (judged.is_triangular) {
      solve_lower_transposed(triangle(judged), rows_.rows(), weak.data(), judged.rank);
    } else {
      solve_upper_transposed(small_triangle(judged), small_.rows(), weak.data(), judged.rank);
    }
    // For a unit y, |L⁻ᵀ y| is at most 1/σ, and equal to it when y has become the weak direction.
    const double before = value;
    value = 1.0 / weak.norm();
    if (judged.is_triangular) {
      solve_lower(triangle(judged), rows_.rows(), weak.data(), judged.rank);
    } else {
      solve_upper(small_triangle(judged), small_.rows(), weak.data(), judged.rank);
    }
    if (std::abs(before - value) <= kConverged * value) break;
  }
  weak.normalize();
  direction.setZero();
  direction.segment(judged.first_column, judged.rank) = weak;
  to_x(judged.first_column + judged.rank, direction.data());
  return value;
}

void HierarchyFactor::write_directions(int level, Eigen::MatrixXd& directions) const {
  const Level& judged = levels_[level];
  for (int i = 0; i < judged.rank; ++i) {
    directions.col(i).setZero();
    directions(judged.first_column + i, i) = 1.0;
    to_x(judged.first_column + i + 1, directions.col(i).data());
  }
}

double HierarchyFactor::undecided_part(int level, const Eigen::VectorXd& direction) {
  const int decided = levels_[level].first_column + levels_[level].rank;
  z_ = direction;
  for (int i = 0; i < decided; ++i) {
    reflect(reflectors_.col(i).data() + i, tau_[i], z_.data() + i, columns_ - i);
  }
  return z_.tail(columns_ - decided).squaredNorm();
}

/// vector ← Q vector, with the reflectors before `count`
void HierarchyFactor::to_x(int count, double* vector) const {
  for (int i = count - 1; i >= 0; --i) reflect(reflectors_.col(i).data() + i, tau_[i], vector + i, columns_ - i);
}

void HierarchyFactor::compute_multipliers(int level) {
  if (level == num_levels_) {
    gradient_ = decided_;  // gradient of |x|²/2 = |z|²/2
  } else {
    const Level& asking = levels_[level];
    gradient_.head(asking.first_column).noalias() =
        rows_.block(asking.first_row, 0, asking.num_rows, asking.first_column).transpose() *
        residual_.segment(asking.first_row, asking.num_rows);
  }
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
