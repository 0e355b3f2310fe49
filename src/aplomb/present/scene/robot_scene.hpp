#pragma once

#include <string>
#include <vector>

#include "aplomb/report/scene.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The columns of a log that hold a RobotState::q, in its order: `base_x_m` .. `base_quaternion_w`, then
/// `position_JOINT_rad`, each after `prefix` (a second robot in the same log).
std::vector<std::string> posture_columns(const RobotModel& robot, const std::string& prefix = {});

/// The robot's bodies with their shapes, to be moved by these columns. A mesh becomes the convex hull of its outermost
/// points; one that cannot be read is left out, as the robot's notes say.
std::vector<SceneNode> scene_nodes(const RobotModel& robot, const std::string& prefix = {});

/// Appends a node that has the frame of a link, for points and forces given in it; `first` is the index of the robot's
/// first node in `nodes`. Returns its index.
int add_link_node(const RobotModel& robot, const std::string& link, int first, std::vector<SceneNode>& nodes);

}  // namespace aplomb
