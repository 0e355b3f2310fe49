#pragma once

#include <vector>

#include "aplomb/control/tasks/task.hpp"

namespace aplomb {

/// Moves single joints to angles:  A = rows of the identity,  b = k (q* − q).
class JointTask final : public Task {
 public:
  struct Target {
    int joint = 0;
    double angle = 0.0;  ///< [rad]
  };
  JointTask(std::vector<Target> targets, const TaskGains& gains) : targets_(std::move(targets)), gains_(gains) {}
  int num_rows() const override { return static_cast<int>(targets_.size()); }
  void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const override;

 private:
  std::vector<Target> targets_;
  TaskGains gains_;  ///< its speed limit holds for each joint
};

}  // namespace aplomb
