#include "aplomb/control/joints/leg_springs.hpp"

#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb {

std::vector<bool> carries_body(const RobotModel& model) {
  std::vector<bool> carries(static_cast<std::size_t>(model.num_joints()), false);
  for (FrameId foot : sole_frames(model)) {
    for (int joint : model.joint_chain(foot)) carries[static_cast<std::size_t>(joint)] = true;
  }
  return carries;
}

}  // namespace aplomb
