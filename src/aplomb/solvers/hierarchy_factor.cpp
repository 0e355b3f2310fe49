#include "aplomb/solvers/hierarchy_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/solvers/householder.hpp"

namespace aplomb {
namespace {

/// A row with a smaller share left, outside what is decided already, depends on the others but for rounding.
constexpr double kRounding = 1e-12;
/// Damping begins where the smallest singular value falls below this many rank tolerances.
constexpr double kBand = 10.0;
/// A pivot is an estimate of the smallest singular value from above, seldom by more than this factor.
constexpr double kPivotTrust = 100.0;
/// Squared lengths that are updated by differences are computed afresh when this little is left.
constexpr double kCancelled = 1e-6;

}  // namespace

HierarchyFactor::HierarchyFactor(int columns, int max_rows, int num_levels, double rank_tolerance)
    : columns_(columns),
      rank_tolerance_(rank_tolerance),
      levels_(static_cast<std::size_t>(num_levels)),
      rows_(max_rows, columns),
      rhs_(max_rows),
      ids_(static_cast<std::size_t>(max_rows)),
      reflectors_(columns, columns),
      tau_(columns),
      small_(max_rows + columns, columns),
      small_tau_(columns),
      weak_(columns, columns),
      z_(columns),
      work_(max_rows + columns),
      residual_(max_rows),
      multipliers_(max_rows),
      gradient_(columns),
      remaining_(max_rows),
      reference_(max_rows) {}

void HierarchyFactor::clear() {
  num_rows_ = 0;
  num_levels_ = 0;
}

void HierarchyFactor::start_level(double scale, const Eigen::VectorXd* held_direction) {
  Level& level = levels_[num_levels_++];
  const double least_damping = is_damping_kept_ ? level.damping : 0.0;
  level = {};
  level.least_damping = least_damping;
  level.first_row = num_rows_;
  level.scale = scale;
  level.held_direction = held_direction;
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

void HierarchyFactor::factor() {
  num_decided_ = 0;
  for (int k = 0; k < num_levels_; ++k) {
    levels_[k].first_column = num_decided_;
    factor_level(levels_[k]);
    num_decided_ += levels_[k].rank + levels_[k].num_held;
  }
}

void HierarchyFactor::factor_level(Level& level) {
  level.rank = reduce_rows(level);
  level.is_triangular = level.rank == level.num_rows;
  if (!level.is_triangular) factor_small(level, 0.0);
  const double edge = kBand * rank_tolerance_ * level.scale;
  double smallest_pivot = std::numeric_limits<double>::infinity();
  for (int i = 0; i < level.rank; ++i) {
    smallest_pivot = std::min(smallest_pivot, std::abs(rows_(level.first_row + i, level.first_column + i)));
  }
  if (smallest_pivot < kPivotTrust * edge) {
    const double share = smallest_singular_value(level) / edge;
    // Rises from 0 at the edge of the band; the gain σ / (σ² + λ²) stays below 1.2 / edge.
    if (share < 1.0) level.damping = 0.5 * edge * std::sqrt(1.0 - share * share);
  }
  if (is_damping_kept_) level.damping = std::max(level.damping, level.least_damping);
  if (level.rank > 0 && level.damping > 0.0) {
    level.is_triangular = false;
    factor_small(level, level.damping);
  }
  if (level.held_direction != nullptr) hold(level);
}

bool HierarchyFactor::has_damping() const {
  return std::any_of(levels_.begin(), levels_.begin() + num_levels_, [](const Level& l) { return l.damping > 0.0; });
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

/// Gives the level one more column, fixed at zero: the held direction's part that nobody decides about.
void HierarchyFactor::hold(Level& level) {
  const int column = level.first_column + level.rank;
  if (column == columns_) return;
  z_ = *level.held_direction;
  for (int i = 0; i < column; ++i) {
    reflect(reflectors_.col(i).data() + i, tau_[i], z_.data() + i, columns_ - i);
  }
  if (z_.tail(columns_ - column).squaredNorm() < 0.5) return;
  auto stored = reflectors_.col(column).tail(columns_ - column);
  stored = z_.tail(columns_ - column);
  tau_[column] = make_reflector(stored.data(), columns_ - column);
  stored[0] = 1.0;
  apply_to_rows_below(column, level.first_row + level.num_rows);
  level.num_held = 1;
}

/// QR of (L; damping I).
void HierarchyFactor::factor_small(Level& level, double damping) {
  const int size = level.num_rows + (damping > 0.0 ? level.rank : 0);
  for (int i = 0; i < level.rank; ++i) {
    auto column = small_.col(level.first_column + i).head(size);
    column.head(level.num_rows) = rows_.col(level.first_column + i).segment(level.first_row, level.num_rows);
    if (damping == 0.0) continue;
    column.tail(level.rank).setZero();
    column[level.num_rows + i] = damping;
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
