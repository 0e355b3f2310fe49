#include "aplomb/solvers/hierarchy/hierarchy_factor.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/solvers/hierarchy/householder.hpp"

namespace aplomb {
namespace {

/// A row with a smaller share left, outside what is decided already, depends on the others but for rounding.
constexpr double kRounding = 1e-12;
/// Squared lengths that are updated by differences are computed afresh when this little is left.
constexpr double kCancelled = 1e-6;

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

/// The row with the most left in the columns from `column` on; −1 when all are rounding.
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

/// QR of L.
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

}  // namespace aplomb
