#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "aplomb/control/joints/joint_bounds.hpp"
#include "aplomb/control/tasks/task.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// Tasks in strict levels below the joint bounds, solved for joint velocities once per tick. The first two levels are
/// the feet and the CoM. Below the feet, a row that cannot be met because of bounds or lost rank is requested at a
/// decreasing fraction of its velocity; otherwise every joint that helps a little would be driven to its bounds.
class TaskStack {
 public:
  struct Level {
    std::vector<std::pair<const Task*, double>> tasks;  ///< each with √weight
    int rows = 0;
  };

  TaskStack(int num_joints, std::vector<Level> levels);  ///< the tasks must outlive this object

  /// Makes `task` the only one of the first level; it must have as many rows as the previous one.
  void set_feet_task(const Task& task) { levels_[0].tasks[0].first = &task; }

  /// Writes q̇ within `bounds` to `rates`; `comfort` is q̇ where no level decides. False: not solved, `rates` is kept.
  /// Never allocates.
  bool solve(const StandingKinematics& kinematics, double time_s, const JointBounds& bounds,
             const Eigen::VectorXd& comfort, Eigen::VectorXd& rates);

  /// 0: feet and CoM can be moved in all directions; 1 and more: one direction is about to vanish, as with straight
  /// knees.
  double lost_authority() const;
  int num_damped_levels() const;
  int num_active_bounds() const;

  const HierarchyProblem& problem() const { return problem_; }  ///< last problem; the unknown is q̇ − comfort
  const HierarchySolution& solution() const { return hierarchy_.solution(); }

 private:
  /// Lowers the requested fraction of each row of level `index` that is not met, and raises that of the others.
  void relax_unmet_rows(std::size_t index, const Eigen::VectorXd& comfort);

  std::vector<Level> levels_;
  std::vector<Eigen::VectorXd> requested_;  ///< by level and row: fraction of the task's velocity that is requested
  HierarchyProblem problem_;
  TaskHierarchy hierarchy_;
};

}  // namespace aplomb
