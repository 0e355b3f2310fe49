#pragma once

#include <string>
#include <vector>

#include "aplomb/report/scene.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The columns of a log that hold a RobotState::q, in its order: `base_x_m` .. `base_quaternion_w`, then
/// `position_JOINT_rad`, each preceded by `prefix` (for a second robot in the same log).
std::vector<std::string> posture_columns(const RobotModel& robot, const std::string& prefix = {});

/// The robot's bodies with their shapes, moved by posture_columns(): its visual shapes and meshes with the colours of
/// URDF or mesh file, else its collision shapes. Meshes are decimated, all together to 50,000 triangles; an unreadable
/// one is omitted (RobotModel::notes() reports it). Where that leaves nothing, bones from joint to joint are drawn.
std::vector<SceneNode> scene_nodes(const RobotModel& robot, const std::string& prefix = {});

/// Appends a node with the frame of a link, for points and forces expressed in it; `first` is the index of the robot's
/// first node in `nodes`. Returns its index.
int add_link_node(const RobotModel& robot, const std::string& link, int first, std::vector<SceneNode>& nodes);

}  // namespace aplomb
