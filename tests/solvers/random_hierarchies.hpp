#pragma once

#include <cstdint>

#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb::test {

struct RandomHierarchy {
  int columns;
  std::vector<HierarchyLevelSize> sizes;
  HierarchyProblem problem;
};

/// Hierarchy `index` of an endless list: 2 to 12 columns, 2 to 5 levels of up to 5 equalities and, in every second one,
/// up to 6 bounded rows a level; every 49th as large as a humanoid's, up to 45 columns and 20 and 30 rows a level. Some
/// with small integers (ties), repeated rows within and across levels, bounds on single variables, levels in different
/// units.
RandomHierarchy random_hierarchy(std::uint64_t index);

/// What the levels are made small by, in their order: |A x − b|² + |distance of C x to its bounds|².
Eigen::VectorXd level_costs(const HierarchyProblem& problem, const Eigen::VectorXd& x);

}  // namespace aplomb::test
