#pragma once

#include "aplomb/control/tasks/task.hpp"

namespace aplomb {

/// Moves the CoM along a reference, in the plan frame:  A = J_com,  b = ċ* + k (c* − c).
class ComTask final : public Task {
 public:
  explicit ComTask(const TaskGains& gains) : gains_(gains) {}
  void track(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
    position_ = position;
    velocity_ = velocity;
  }
  int num_rows() const override { return 3; }
  void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const override;

 private:
  TaskGains gains_;
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero(), velocity_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb
