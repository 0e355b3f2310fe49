#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb::test {

inline const std::vector<std::string> kOurRobots = {"balancer", "coman",       "hoap3",
                                                    "sarcos",   "sarcos_real", "sarcos_heavy"};

inline RobotModel our_robot(const std::string& name) {
  return RobotModel::from_file(std::filesystem::path(APLOMB_SOURCE_DIR) / "robots" / name / (name + ".urdf"));
}

/// All joints at zero, limits or not: the state in which the sources give their figures. Feet on the ground.
inline RobotState zero_state(const RobotModel& model) {
  RobotState state = model.neutral_state();
  state.q.tail(model.num_joints()).setZero();
  model.stand_on_soles(state);
  return state;
}

inline RobotTerms terms_at(const RobotModel& model, const RobotState& state, const std::vector<FrameId>& frames = {}) {
  RobotTerms terms(model, frames);
  terms.update(state);
  return terms;
}

inline Eigen::Isometry3d pose_of(const RobotModel& model, const RobotState& state, const std::string& link) {
  const FrameId frame = model.frame(link);
  return terms_at(model, state, {frame}).frame(frame).T_world_frame;
}

}  // namespace aplomb::test
