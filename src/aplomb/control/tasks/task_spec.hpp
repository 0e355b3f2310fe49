#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "aplomb/motion/profile/point_motion.hpp"

namespace aplomb {

/// Reference of a frame's pose, relative to its pose at the start.
struct PoseReference {
  PointMotion motion;                              ///< motion of the position
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();  ///< rotation vector, same axes [rad]
  double turn_s = 1.0;                             ///< time at which the rotation is complete [s]
};

/// A task of the task-priority controller as the user specifies it.
struct TaskSpec {
  enum class Kind { pose, position, orientation, gaze, joint, relative };
  Kind kind = Kind::position;
  std::string link;         ///< the frame that moves
  std::string relative_to;  ///< for Kind::relative: the frame in which it moves
  int level = 1;            ///< strict priority, smaller first; tasks of one level are traded off by weight
  double weight = 1.0;      ///< weight of the squared error
  PoseReference reference;  ///< in axes of the world at the start, or of `relative_to`
  Eigen::Vector3d gaze_point = Eigen::Vector3d::Zero();  ///< in the world at the start [m]
  std::map<std::string, double> joint_angles;            ///< by joint name [rad]
};

}  // namespace aplomb
