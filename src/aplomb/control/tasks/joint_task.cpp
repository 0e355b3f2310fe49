#include "aplomb/control/tasks/joint_task.hpp"

#include <algorithm>

#include "aplomb/control/task_priority/standing_kinematics.hpp"

namespace aplomb {

void JointTask::write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const {
  rows.A.setZero();
  const auto joints = kinematics.joints();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    rows.A(row, targets_[i].joint) = 1.0;
    rows.b[row] = task_onset(time_s) * std::clamp(gains_.rate_per_s * (targets_[i].angle - joints[targets_[i].joint]),
                                                  -gains_.speed, gains_.speed);
  }
}

}  // namespace aplomb
