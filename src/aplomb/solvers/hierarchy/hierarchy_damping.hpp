#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/solvers/hierarchy/hierarchy_factor.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// Where the levels of a hierarchy are damped, and by how much.
///
/// Let σ be the smallest singular value of a level's equalities in the space that the levels above leave, e = 10 τ
/// times its longest row. σ ≥ e: exact. Below, the level gets rows λ v · x = 0, v all directions it decides about, and
///   λ = e/2 √(1 − (σ/e)²),
/// so that its gain σ / (σ² + λ²) stays below 1.2/e and goes to zero with σ, continuously. The rows also make those v
/// unavailable to the levels below. Bounds have no influence: what is damped does not change with the active set.
///
/// A direction that was damped and now vanishes to rounding stays among the v, with λ = e/2, until the level's rows
/// have moved by more than e since it was last seen.
class HierarchyDamping {
 public:
  HierarchyDamping(int columns, const std::vector<HierarchyLevelSize>& sizes, double rank_tolerance);

  /// Decides the damping from the factor of the equalities alone; true when a level is damped.
  bool update(const HierarchyProblem& problem, const Eigen::VectorXd& level_scale, HierarchyFactor& factor);
  double damping(int level) const { return levels_[level].damping; }
  /// Appends the damping rows of a level to a factor.
  void append(int level, HierarchyFactor& factor) const;
  void forget();

 private:
  struct Level {
    double damping = 0.0;
    int num_directions = 0;
    Eigen::MatrixXd directions;      ///< columns × (largest rank of the level + 1)
    bool has_seen = false;           ///< whether a weak direction is remembered
    Eigen::VectorXd weak_direction;  ///< the remembered direction
    Eigen::MatrixXd A;               ///< rows of the level when it was last seen
  };

  void update_level(Level& level, int index, const Eigen::MatrixXd& A, double edge, HierarchyFactor& factor);

  double rank_tolerance_;
  std::vector<Level> levels_;
  Eigen::VectorXd candidate_;  ///< scratch: the direction of the smallest singular value
};

}  // namespace aplomb
