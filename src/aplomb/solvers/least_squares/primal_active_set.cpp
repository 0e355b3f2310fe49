#include "aplomb/solvers/least_squares/primal_active_set.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/solvers/optimality.hpp"

namespace aplomb {
namespace {

/// Derivatives below this fraction of the terms that cancel in them count as zero.
constexpr double kOptimal = 1e-11;
/// Once steps are lost in rounding, smaller derivatives are accepted: half the certificate's tolerance.
constexpr double kCertified = 5e-10;
constexpr double kProgress = 1e-14;   ///< relative residual change that counts as progress
constexpr double kRounding = 1e-13;   ///< steps below this fraction of the requested one do not stop at a bound
constexpr double kCancelled = 1e-14;  ///< relative remainder of x when a difference cancels
constexpr double kLongStep = 0.5;     ///< a step longer than this many times the x it leads to is refined
constexpr int kMaxRefinements = 3;
constexpr int kMaxStalledRounds = 3;  ///< rounds of prediction without fewer errors before descent takes over

}  // namespace

PrimalActiveSet::PrimalActiveSet(int rows, int columns, int equality_rows)
    : columns_(columns),
      max_iterations_(100 + 20 * columns),
      rows_(rows, columns, equality_rows),
      x_(columns),
      is_free_(static_cast<std::size_t>(columns)),
      is_barred_(static_cast<std::size_t>(columns)),
      is_held_(static_cast<std::size_t>(columns)),
      factor_(equality_rows, rows_.max_rows(), columns),
      step_(columns),
      e_(equality_rows),
      r_(rows_.max_rows()),
      e_scratch_(equality_rows),
      r_scratch_(rows_.max_rows()),
      equality_pull_(columns),
      pull_(columns),
      mu_(equality_rows) {
  free_.reserve(static_cast<std::size_t>(columns));
}

SolveStatus PrimalActiveSet::solve(const BoundedLeastSquaresProblem& problem, bool is_warm,
                                   BoundedLeastSquaresSolution& solution) {
  problem_ = &problem;
  iterations_ = 0;
  std::fill(is_held_.begin(), is_held_.end(), false);
  rows_.load(problem);
  start(is_warm, solution);
  // Without full column rank the free set is not determined by signs, and prediction does not converge.
  const bool is_predicted = rows_.num_rows() + rows_.num_equalities() >= columns_ && predict();
  const SolveStatus status = is_predicted ? judge() : descend();
  write(solution);
  return status;
}

/// A warm start keeps the active set where the new bounds allow, but not x, whose rounding errors would persist.
void PrimalActiveSet::start(bool is_warm, const BoundedLeastSquaresSolution& solution) {
  for (int i = 0; i < columns_; ++i) {
    x_[i] = std::clamp(problem_->x0[i], lower(i), upper(i));
    is_free_[i] = is_warm ? lower(i) < upper(i) : is_inside(i);
    if (!is_warm || solution.state[i] == BoundState::free) continue;
    const double bound = solution.state[i] == BoundState::at_lower ? lower(i) : upper(i);
    if (!std::isfinite(bound)) continue;
    x_[i] = bound;
    is_free_[i] = false;
  }
}

/// Block pivoting; true when it ended at an optimum.
bool PrimalActiveSet::predict() {
  int fewest = columns_ + 1;
  for (int patience = kMaxStalledRounds; patience > 0;) {
    ++iterations_;
    factor_free();
    compute_step();
    for (int i = 0; i < columns_; ++i) x_[i] = moved(i, 1.0);
    refine();
    compute_pulls();
    const int errors = exchange();
    if (errors == 0) return true;
    patience = errors < fewest ? kMaxStalledRounds : patience - 1;
    fewest = std::min(fewest, errors);
  }
  return false;
}

/// Clamps variables outside their bounds, frees those whose multiplier has the wrong sign; returns how many changed.
int PrimalActiveSet::exchange() {
  int errors = 0;
  for (int i = 0; i < columns_; ++i) {
    if (!is_out(i) && !can_improve(i)) continue;
    ++errors;
    is_free_[i] = !is_out(i);
    x_[i] = std::clamp(x_[i], lower(i), upper(i));
  }
  return errors;
}

/// Lawson and Hanson's method from the feasible x.
SolveStatus PrimalActiveSet::descend() {
  for (int i = 0; i < columns_; ++i) is_free_[i] = is_free_[i] || is_inside(i);
  has_progressed_ = true;
  bool is_settled = settle(false);
  for (;;) {
    compute_pulls();
    if (!is_settled) return SolveStatus::iteration_limit;
    if (has_progressed_) {
      std::fill(is_barred_.begin(), is_barred_.end(), false);
      std::fill(is_held_.begin(), is_held_.end(), false);
    }
    int entering = choose_entering();
    while (entering >= 0 && !try_to_free(entering)) entering = choose_entering();
    if (entering < 0) return judge();
    has_progressed_ = false;
    is_settled = settle(true);
  }
}

/// Frees a variable if the step that follows moves it off its bound in the descent direction. A variable that lets the
/// free ones meet one more equality may also stay where it is: it changes the multipliers. If it would move the other
/// way, the equalities hold it at its bound, with a derivative too small to be seen.
bool PrimalActiveSet::try_to_free(int entering) {
  ++iterations_;
  const int equality_rank = factor_.equality_rank();
  is_free_[entering] = true;
  factor_free();
  compute_step();
  if (step_[entering] * descent(entering).direction > 0.0) return true;
  const bool meets_more = factor_.equality_rank() > equality_rank;
  if (meets_more && std::abs(step_[entering]) <= kRounding * equality_terms_ / rows_.equality_lengths()[entering])
    return true;
  is_free_[entering] = false;
  is_barred_[entering] = true;
  is_held_[entering] = meets_more;
  return false;
}

/// Minimises over the free variables, fixing those that reach a bound on the way. False: out of iterations.
bool PrimalActiveSet::settle(bool has_step) {
  for (;;) {
    if (!has_step) {
      if (++iterations_ > max_iterations_) return false;
      factor_free();
      compute_step();
    }
    if (move_along_step()) break;
    has_step = false;
  }
  refine();
  return true;
}

/// Moves along the step to the first bound (false), or to its end (true).
bool PrimalActiveSet::move_along_step() {
  double length = 1.0;
  int blocking = -1;
  for (int position = 0; position < factor_.rank(); ++position) {
    const int i = factor_.basic()[position];
    const double rows_size = position < factor_.equality_rank() ? equality_terms_ : objective_terms_;
    const double size = rows_size / factor_.length(position);
    const double bound = step_[i] < 0.0 ? lower(i) : upper(i);
    if (std::abs(step_[i]) <= std::max(std::abs(bound - x_[i]), kRounding * size)) continue;
    const double until_bound = (bound - x_[i]) / step_[i];
    if (until_bound > length || (until_bound == length && blocking >= 0 && blocking < i)) continue;
    length = until_bound;
    blocking = i;
  }
  // A move is progress when the residual changes by more than rounding.
  auto r_change = r_scratch_.head(rows_.num_rows());
  e_scratch_.noalias() = rows_.equalities() * step_;
  r_change.noalias() = rows_.objective() * step_;
  has_progressed_ = has_progressed_ || length * e_scratch_.norm() > kProgress * equality_terms_ ||
                    length * r_change.norm() > kProgress * objective_terms_;
  for (const int i : factor_.basic()) x_[i] = std::clamp(moved(i, length), lower(i), upper(i));
  if (blocking < 0) return true;
  x_[blocking] = step_[blocking] < 0.0 ? lower(blocking) : upper(blocking);
  is_free_[blocking] = false;
  return false;
}

/// x after a part of the step. Entries within rounding of zero or of a bound are set to it: later steps would take the
/// remainder for a distance.
double PrimalActiveSet::moved(int variable, double length) const {
  const double there = x_[variable] + length * step_[variable];
  if (std::abs(there - lower(variable)) <= kCancelled * std::abs(there)) return lower(variable);
  if (std::abs(there - upper(variable)) <= kCancelled * std::abs(there)) return upper(variable);
  return std::abs(there) <= kCancelled * std::abs(x_[variable]) ? 0.0 : there;
}

/// The variable with the largest derivative; after a step without progress the first one (Bland's rule).
int PrimalActiveSet::choose_entering() const {
  int best = -1;
  Descent best_descent;
  for (int i = 0; i < columns_; ++i) {
    if (is_free_[i] || is_barred_[i] || !can_improve(i)) continue;
    const Descent candidate = descent(i);
    if (!has_progressed_ && candidate.strength < kCertified) continue;
    if (best >= 0 && !candidate.beats(best_descent)) continue;
    best = i;
    best_descent = candidate;
    if (!has_progressed_) break;
  }
  return best;
}

/// Status of the final active set: solved, unless rounding leaves a derivative above the certificate's tolerance.
SolveStatus PrimalActiveSet::judge() const {
  for (int i = 0; i < columns_; ++i) {
    const double visible = kVisibleDerivative * rows_.equality_lengths()[i] * equality_terms_;
    const bool is_held = is_held_[i] && std::abs(equality_pull_[i]) > visible;
    const bool is_judged = is_inside(i) || (!is_held && can_improve(i));
    if (is_judged && descent(i).strength > kCertified) return SolveStatus::numerical_trouble;
  }
  return SolveStatus::solved;
}

void PrimalActiveSet::factor_free() {
  free_.clear();
  for (int i = 0; i < columns_; ++i) {
    if (is_free_[i]) free_.push_back(i);
  }
  factor_.factor(rows_.equalities(), rows_.objective(), free_);
}

/// Computes the step from x to the minimiser over the free variables.
void PrimalActiveSet::compute_step() {
  rows_.residuals(x_, e_scratch_, r_scratch_);
  factor_.solve(e_scratch_, r_scratch_, step_);
  equality_terms_ = rows_.equality_terms(x_);
  objective_terms_ = rows_.objective_terms(x_);
}

/// Iterative refinement: a long step to a small x leaves rounding errors of the step's length in x, which the same
/// factor removes. Where refinement does not converge, x has no significant digit and becomes zero, within bounds.
void PrimalActiveSet::refine() {
  const auto is_long = [this] { return rows_.reach(step_) > kLongStep * rows_.reach(x_); };
  const int at_least = rows_.num_equalities() > 0 ? 1 : 0;  // rounding of the equalities is an error of the objective
  for (int repeats = 0; repeats < at_least || (repeats <= kMaxRefinements && is_long()); ++repeats) {
    compute_step();
    for (const int i : factor_.basic()) {
      const double there = repeats < kMaxRefinements ? moved(i, 1.0) : 0.0;
      x_[i] = is_out(i) ? there : std::clamp(there, lower(i), upper(i));
    }
  }
}

/// Computes the derivatives at x, with the equality multipliers that follow from the free variables.
void PrimalActiveSet::compute_pulls() {
  rows_.residuals(x_, e_, r_);
  equality_pull_.noalias() = rows_.equalities().transpose() * e_;
  pull_.noalias() = rows_.objective().transpose() * r_.head(rows_.num_rows());
  factor_.equality_multipliers(pull_, mu_);
  pull_.noalias() -= rows_.equalities().transpose() * mu_;
  equality_terms_ = rows_.equality_terms(x_);
  objective_terms_ = rows_.objective_terms(x_);
  tied_terms_ = objective_terms_ + rows_.tied_terms(x_);
  mu_terms_ = mu_.norm() + rows_.multiplier_terms(tied_terms_);
}

PrimalActiveSet::Descent PrimalActiveSet::descent(int variable) const {
  const double equality_unit = rows_.equality_lengths()[variable] * equality_terms_;
  if (std::abs(equality_pull_[variable]) > kOptimal * equality_unit) {
    return {equality_pull_[variable] > 0.0 ? 1 : -1, 2, std::abs(equality_pull_[variable]) / equality_unit};
  }
  const double unit =
      rows_.objective_lengths()[variable] * tied_terms_ + rows_.equality_lengths()[variable] * mu_terms_;
  if (std::abs(pull_[variable]) > kOptimal * unit) {
    return {pull_[variable] > 0.0 ? 1 : -1, 1, std::abs(pull_[variable]) / unit};
  }
  return {};
}

bool PrimalActiveSet::can_improve(int variable) const {
  const int direction = descent(variable).direction;
  return (direction > 0 && x_[variable] < upper(variable)) || (direction < 0 && x_[variable] > lower(variable));
}

void PrimalActiveSet::write(BoundedLeastSquaresSolution& solution) const {
  solution.x = x_;
  solution.iterations = iterations_;
  const double per_objective = 1.0 / (rows_.objective_scale() * rows_.objective_scale());
  for (int i = 0; i < columns_; ++i) {
    const bool is_held = !is_free_[i] && !is_inside(i);
    solution.state[i] = !is_held ? BoundState::free : x_[i] == lower(i) ? BoundState::at_lower : BoundState::at_upper;
    solution.bound_multipliers[i] = is_held ? -per_objective * pull_[i] : 0.0;
    const bool is_needed = descent(i).level == 2 || is_held_[i];
    solution.equality_bound_multipliers[i] =
        is_needed ? -equality_pull_[i] / (rows_.equality_scale() * rows_.equality_scale()) : 0.0;
  }
  solution.equality_multipliers = rows_.equality_scale() * per_objective * mu_;
  solution.equality_residual = -e_ / rows_.equality_scale();
}

}  // namespace aplomb
