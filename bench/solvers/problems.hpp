#pragma once

#include <vector>

#include "aplomb/solvers/bounded_least_squares.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb::bench {

/// The solvers' benchmark problems: those of a balance controller at 1 kHz while a robot is pushed.
/// A linear pendulum (52 kg, 0.77 m) stands on two feet; from 50 ms on it is pushed with 120 N for 0.1 s (12 N s),
/// 30 degrees to the left of forward. Its centre of pressure follows the capture point within the soles; the
/// feet are to exert the feedback force, whether admissible or not. Problem i belongs to millisecond i.

/// 6 × 32, x ≥ 0: forces along four edges of the friction cone at four corners of two soles (Lee and Goswami 2010,
/// eq. 9 to 11: rates of linear and angular momentum, weights 1 and 0.1, forces 0.01).
std::vector<BoundedLeastSquaresProblem> pushed_pendulum_cone_forces(int count);

/// 6 × 12 with two bounds each: force and moment of two feet, in boxes inscribed in friction cone and sole.
std::vector<BoundedLeastSquaresProblem> pushed_pendulum_foot_wrenches(int count);

/// Accelerations of a floating base and 29 joints, as a whole-body controller ranks them: two planted feet (12 rows),
/// momentum (6), a hand (6), posture of the joints (29). The rows vary smoothly, problem i belongs to millisecond i.
inline constexpr int kHierarchyColumns = 35;
std::vector<HierarchyLevelSize> hierarchy_sizes();
std::vector<HierarchyProblem> hierarchies(int count);

/// The same with bounds on all joint accelerations as the first level; the set of active bounds changes over time.
std::vector<HierarchyLevelSize> bounded_hierarchy_sizes();
std::vector<HierarchyProblem> bounded_hierarchies(int count);

}  // namespace aplomb::bench
