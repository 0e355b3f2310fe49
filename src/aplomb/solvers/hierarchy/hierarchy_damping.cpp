#include "aplomb/solvers/hierarchy/hierarchy_damping.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kBand = 10.0;  ///< damping begins at this many rank tolerances
/// A pivot bounds the smallest singular value from above, seldom by more than this factor.
constexpr double kPivotTrust = 100.0;
/// A remembered direction has vanished when more than this of its squared length is undecided.
constexpr double kUndecided = 0.5;

}  // namespace

HierarchyDamping::HierarchyDamping(int columns, const std::vector<HierarchyLevelSize>& sizes, double rank_tolerance)
    : rank_tolerance_(rank_tolerance), levels_(sizes.size()), candidate_(columns) {
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    levels_[k].directions.setZero(columns, std::min(sizes[k].equality_rows, columns) + 1);
    levels_[k].weak_direction.setZero(columns);
    levels_[k].A.setZero(sizes[k].equality_rows, columns);
  }
}

void HierarchyDamping::forget() {
  for (Level& level : levels_) level.has_seen = false;
}

bool HierarchyDamping::update(const HierarchyProblem& problem, const Eigen::VectorXd& level_scale,
                              HierarchyFactor& factor) {
  bool is_damped = false;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const int index = static_cast<int>(k);
    update_level(levels_[k], index, problem.levels[k].A, kBand * rank_tolerance_ * level_scale[index], factor);
    is_damped = is_damped || levels_[k].damping > 0.0;
  }
  return is_damped;
}

void HierarchyDamping::update_level(Level& level, int index, const Eigen::MatrixXd& A, double edge,
                                    HierarchyFactor& factor) {
  const int rank = factor.rank(index);
  double share = 1.0;
  if (rank > 0 && factor.smallest_pivot(index) < kPivotTrust * edge) {
    share = factor.smallest_singular_value(index, candidate_) / edge;
  }
  const bool is_weak = share < 1.0;
  const bool was_seen = level.has_seen && (level.A - A).squaredNorm() <= edge * edge;
  const bool has_vanished = !is_weak && was_seen && factor.undecided_part(index, level.weak_direction) > kUndecided;
  level.damping = is_weak ? 0.5 * edge * std::sqrt(1.0 - share * share) : has_vanished ? 0.5 * edge : 0.0;
  level.has_seen = is_weak || has_vanished;
  if (!level.has_seen) return;
  factor.write_directions(index, level.directions);
  level.num_directions = rank;
  if (is_weak) {
    level.weak_direction = candidate_;
    level.A = A;
  } else {
    level.directions.col(rank) = level.weak_direction;
    level.num_directions = rank + 1;
  }
}

void HierarchyDamping::append(int level, HierarchyFactor& factor) const {
  const Level& damped = levels_[level];
  if (damped.damping > 0.0) factor.append_damping(damped.directions, damped.num_directions, damped.damping);
}

}  // namespace aplomb
