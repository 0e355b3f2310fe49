#include "aplomb/control/tasks/com_task.hpp"

#include "aplomb/control/task_priority/standing_kinematics.hpp"

namespace aplomb {

void ComTask::write(const StandingKinematics& kinematics, double, TaskRows rows) const {
  kinematics.write_com_jacobian(rows.A);
  rows.b = velocity_ + closing_velocity(gains_, Eigen::Vector3d(position_ - kinematics.com()));
}

}  // namespace aplomb
