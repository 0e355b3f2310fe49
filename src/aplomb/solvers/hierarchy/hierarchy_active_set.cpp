#include "aplomb/solvers/hierarchy/hierarchy_active_set.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr int kMaxPredictions = 8;  // rounds of block exchange before descent takes over
/// Relative distance to a bound below which a row counts as at the bound.
constexpr double kFeasible = 1e-11;
/// Multipliers below this fraction of the terms they are computed from count as zero; the second holds once x is at
/// rest.
constexpr double kOptimal = 1e-12;
constexpr double kOptimalAtRest = 1e-11;
/// Steps below this fraction of x are rounding.
constexpr double kRounding = 1e-13;
/// Rounding of x is at least that of this fraction of the length that the right-hand sides request.
constexpr double kLeastShare = 1e-3;

/// Largest number of rows of the factor: all rows active, and those that damping may add.
int count_rows(int columns, const std::vector<HierarchyLevelSize>& sizes) {
  int rows = columns;
  for (const HierarchyLevelSize& size : sizes) rows += size.equality_rows + size.bounded_rows + 1;
  return rows;
}

}  // namespace

HierarchyActiveSet::HierarchyActiveSet(int columns, const std::vector<HierarchyLevelSize>& sizes, double rank_tolerance,
                                       double max_operations)
    : max_operations_(max_operations),
      level_scale_(static_cast<Eigen::Index>(sizes.size())),
      x_(columns),
      before_(columns),
      target_(columns),
      factor_(columns, count_rows(columns, sizes), static_cast<int>(sizes.size())),
      damping_(columns, sizes, rank_tolerance) {
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    for (int row = 0; row < sizes[level].bounded_rows; ++row) rows_.push_back({static_cast<int>(level), row});
  }
  const auto count = static_cast<Eigen::Index>(rows_.size());
  state_.assign(rows_.size(), BoundState::free);
  verdict_.assign(rows_.size(), Verdict::undecided);
  is_barred_.assign(rows_.size(), false);
  badness_.setZero(count);
  values_.setZero(count);
  steps_.setZero(count);
  lengths_.setZero(count);
  max_iterations_ = 50 + 10 * static_cast<int>(count);
}

void HierarchyActiveSet::forget() {
  std::fill(state_.begin(), state_.end(), BoundState::free);
  damping_.forget();
}

SolveStatus HierarchyActiveSet::solve(const HierarchyProblem& problem, HierarchySolution& solution) {
  problem_ = &problem;
  iterations_ = 0;
  operations_ = 0.0;
  measure(problem);
  solve_equalities();
  SolveStatus status = SolveStatus::solved;
  if (has_violated_row()) {
    if (!predict()) status = is_spent() ? SolveStatus::budget_spent : descend();
  } else {
    std::fill(state_.begin(), state_.end(), BoundState::free);
  }
  report(solution);
  return status;
}

/// Computes the scales, and keeps those rows of the last active set that the new bounds allow.
void HierarchyActiveSet::measure(const HierarchyProblem& problem) {
  for (int k = 0; k < num_levels(); ++k) {
    const HierarchyLevel& level = problem.levels[k];
    double longest = 0.0;
    for (Eigen::Index row = 0; row < level.A.rows(); ++row) longest = std::max(longest, level.A.row(row).squaredNorm());
    level_scale_[k] = std::sqrt(longest);
  }
  for (int id = 0; id < num_bounded(); ++id) {
    const BoundedRow& row = rows_[id];
    lengths_[id] = problem.levels[row.level].C.row(row.row).norm();
    level_scale_[row.level] = std::max(level_scale_[row.level], lengths_[id]);
    const bool is_impossible = (state_[id] == BoundState::at_lower && !std::isfinite(lower(id))) ||
                               (state_[id] == BoundState::at_upper && !std::isfinite(upper(id)));
    if (is_impossible) state_[id] = BoundState::free;
    if (is_fixed(id)) state_[id] = BoundState::at_lower;
  }
}

void HierarchyActiveSet::count_factorisation() {
  ++iterations_;
  const auto columns = static_cast<double>(x_.size());
  operations_ += factor_.num_rows() * columns * columns;
}

/// Computes the optimum without bounds, and decides what is damped.
void HierarchyActiveSet::solve_equalities() {
  factor_.clear();
  for (int k = 0; k < num_levels(); ++k) {
    factor_.start_level(level_scale_[k]);
    factor_.append_equalities(problem_->levels[k].A, problem_->levels[k].b);
  }
  count_factorisation();
  factor_.factor();
  if (damping_.update(*problem_, level_scale_, factor_)) factor_rows(false);
  factor_.solve(x_);
  evaluate_rows();
}

bool HierarchyActiveSet::has_violated_row() const {
  for (int id = 0; id < num_bounded(); ++id) {
    if (values_[id] > upper(id) + tolerance(id, upper(id)) || values_[id] < lower(id) - tolerance(id, lower(id))) {
      return true;
    }
  }
  return false;
}

/// Computes the optimum for the current active set.
void HierarchyActiveSet::compute_target() {
  factor_rows(true);
  factor_.solve(target_);
}

void HierarchyActiveSet::factor_rows(bool has_bounds) {
  factor_.clear();
  int id = 0;
  for (int k = 0; k < num_levels(); ++k) {
    const HierarchyLevel& level = problem_->levels[k];
    factor_.start_level(level_scale_[k]);
    factor_.append_equalities(level.A, level.b);
    damping_.append(k, factor_);
    for (Eigen::Index row = 0; row < level.C.rows(); ++row, ++id) {
      const bool is_active = has_bounds && state_[id] != BoundState::free;
      if (is_active) factor_.append_bound(level.C, row, active_bound(id), id);
    }
  }
  count_factorisation();
  factor_.factor();
}

bool HierarchyActiveSet::predict() {
  for (int round = 0; round < kMaxPredictions && !is_spent(); ++round) {
    compute_target();
    x_ = target_;
    evaluate_rows();
    if (exchange() > 0) continue;
    const int wrong = find_wrong_multipliers(kOptimal);
    if (wrong == 0) return true;
    for (int id = 0; id < num_bounded(); ++id) {
      if (verdict_[id] == Verdict::drop) state_[id] = BoundState::free;
    }
  }
  return false;
}

/// Drops every active row that lies inside its bound and activates every violated one. Returns how many changed.
int HierarchyActiveSet::exchange() {
  int changes = 0;
  for (int id = 0; id < num_bounded(); ++id) {
    if (is_fixed(id)) continue;
    const BoundState before = state_[id];
    if (before != BoundState::free && excess(id) >= -tolerance(id, active_bound(id))) continue;
    state_[id] = values_[id] > upper(id) + tolerance(id, upper(id))   ? BoundState::at_upper
                 : values_[id] < lower(id) - tolerance(id, lower(id)) ? BoundState::at_lower
                                                                      : BoundState::free;
    changes += state_[id] != before;
  }
  return changes;
}

/// Descends from x_ with its violated rows active: from there the costs only decrease.
SolveStatus HierarchyActiveSet::descend() {
  for (int id = 0; id < num_bounded(); ++id) {
    if (!is_fixed(id)) state_[id] = BoundState::free;
    is_barred_[id] = false;
  }
  exchange();
  int dropped = -1;
  while (iterations_ < max_iterations_ && !is_spent()) {
    compute_target();
    before_ = x_;
    const int blocking = step_to_target();
    const bool has_moved = (x_ - before_).norm() > kRounding * x_size_;
    if (has_moved) std::fill(is_barred_.begin(), is_barred_.end(), false);
    if (!has_moved && blocking >= 0 && blocking == dropped) is_barred_[blocking] = true;
    dropped = -1;
    if (exchange() > 0 || blocking >= 0) continue;
    dropped = drop_wrong_multiplier(has_moved);
    if (dropped < 0) return SolveStatus::solved;
  }
  return is_spent() ? SolveStatus::budget_spent : SolveStatus::iteration_limit;
}

/// Moves to the target, or until an inactive row would be violated: it becomes active and is returned; −1: arrived.
int HierarchyActiveSet::step_to_target() {
  target_ -= x_;
  double length = 1.0;
  int blocking = -1;
  for (int id = 0; id < num_bounded(); ++id) {
    if (state_[id] != BoundState::free) continue;
    const BoundedRow& row = rows_[id];
    const double step = problem_->levels[row.level].C.row(row.row).dot(target_);
    const double bound = step > 0.0 ? upper(id) : lower(id);
    if (std::abs(step) <= kRounding * lengths_[id] * x_size_) continue;
    const double until_bound = std::max(0.0, (bound - values_[id]) / step);
    if (until_bound >= length) continue;
    length = until_bound;
    blocking = id;
    steps_[id] = step;
  }
  x_ += length * target_;
  evaluate_rows();
  if (blocking >= 0) state_[blocking] = steps_[blocking] > 0.0 ? BoundState::at_upper : BoundState::at_lower;
  return blocking;
}

/// Drops the row with the most wrong multiplier or, once x no longer moves, the first wrong one (Bland's rule). Returns
/// its id; −1: there is none.
int HierarchyActiveSet::drop_wrong_multiplier(bool has_moved) {
  if (find_wrong_multipliers(has_moved ? kOptimal : kOptimalAtRest) == 0) return -1;
  int worst = -1;
  for (int id = 0; id < num_bounded(); ++id) {
    if (verdict_[id] != Verdict::drop || is_barred_[id]) continue;
    if (worst < 0 || (has_moved && badness_[id] > badness_[worst])) worst = id;
  }
  if (worst >= 0) state_[worst] = BoundState::free;
  return worst;
}

/// Checks the sign of the first non-zero multiplier of each active row, in the order of levels. Returns how many are
/// wrong; only those wrong for the highest level are reported.
int HierarchyActiveSet::find_wrong_multipliers(double negligible) {
  int undecided = 0;
  for (int id = 0; id < num_bounded(); ++id) {
    const bool is_judged =
        state_[id] != BoundState::free && !is_fixed(id) && std::abs(excess(id)) <= tolerance(id, active_bound(id));
    verdict_[id] = is_judged ? Verdict::undecided : Verdict::keep;
    undecided += is_judged;
  }
  int wrong = 0;
  for (int k = 1; k <= num_levels() && undecided > 0 && wrong == 0; ++k) {
    if (!factor_.has_residual(k)) continue;
    const double unit = multiplier_unit(k);
    factor_.visit_multipliers(k, [&](int id, double multiplier) {
      if (verdict_[id] != Verdict::undecided) return;
      const double share = (state_[id] == BoundState::at_upper ? multiplier : -multiplier) * lengths_[id];
      if (std::abs(share) <= negligible * unit) return;
      verdict_[id] = share > 0.0 ? Verdict::keep : Verdict::drop;
      badness_[id] = -share / unit;
      wrong += share < 0.0;
      --undecided;
    });
  }
  return wrong;
}

/// Magnitude of the terms of the multipliers for a level; the level after the last one is x = 0.
double HierarchyActiveSet::multiplier_unit(int level) const {
  if (level == num_levels()) return x_size_;
  return level_scale_[level] * (problem_->levels[level].b.norm() + level_scale_[level] * x_size_);
}

void HierarchyActiveSet::evaluate_rows() {
  int id = 0;
  for (const HierarchyLevel& level : problem_->levels) {
    values_.segment(id, level.C.rows()).noalias() = level.C * x_;
    id += static_cast<int>(level.C.rows());
  }
  double asked_size = 0.0;  // length of the x that the right-hand sides request
  for (int k = 0; k < num_levels(); ++k) {
    if (factor_.rank(k) > 0) asked_size = std::max(asked_size, factor_.rhs_norm(k) / level_scale_[k]);
  }
  x_size_ = std::max(x_.norm(), kLeastShare * asked_size);
}

double HierarchyActiveSet::excess(int id) const {
  return state_[id] == BoundState::at_upper ? values_[id] - upper(id) : lower(id) - values_[id];
}

double HierarchyActiveSet::tolerance(int id, double bound) const {
  return std::isfinite(bound) ? kFeasible * (std::abs(bound) + lengths_[id] * x_size_) : 0.0;
}

void HierarchyActiveSet::report(HierarchySolution& solution) const {
  solution.x = x_;
  solution.iterations = iterations_;
  int id = 0;
  for (int k = 0; k < num_levels(); ++k) {
    const HierarchyLevel& level = problem_->levels[k];
    HierarchyLevelReport& report = solution.levels[k];
    report.residual = -level.b;
    report.residual.noalias() += level.A * x_;
    for (Eigen::Index row = 0; row < level.C.rows(); ++row, ++id) {
      const double above = values_[id] - upper(id);
      const double below = values_[id] - lower(id);
      report.violation[row] = above > tolerance(id, upper(id))    ? above
                              : below < -tolerance(id, lower(id)) ? below
                                                                  : 0.0;
      report.state[row] = state_[id];
    }
    report.rank = factor_.rank(k);
    report.damping = damping_.damping(k);
  }
}

}  // namespace aplomb
