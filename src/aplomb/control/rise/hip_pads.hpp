#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A part of a robot that sits: a sphere, or the end of a capsule, at a hip.
struct HipPad {
  int body = 0;                                      ///< index in BodyTree::bodies
  FrameId frame{};                                   ///< of that body
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< in its body's frame [m]
  double radius = 0.0;                               ///< [m]
};

/// Those on the thighs, which turn with them while the pelvis leans; none on a robot without two legs.
std::vector<HipPad> hip_pads(const RobotModel& model);

}  // namespace aplomb
