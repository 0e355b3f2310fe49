#pragma once

#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The skeleton as a URDF: one link per segment, one revolute joint per coordinate (links without mass between the axes
/// of a joint, named `SEGMENT__COORDINATE`). A coordinate that follows another has a <mimic> element when `has_mimics`.
std::string skeleton_urdf(const Skeleton& skeleton, bool has_mimics);

/// The skeleton as a robot, every coordinate a joint of its own, in the skeleton's order; roles and soles are set.
RobotModel human_robot(const Skeleton& skeleton);

/// Index of the robot's body (0: base, i + 1: moved by joint i) for each segment.
std::vector<int> segment_bodies(const Skeleton& skeleton, const RobotModel& robot);

}  // namespace aplomb
