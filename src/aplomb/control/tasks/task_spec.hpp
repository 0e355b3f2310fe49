#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/tasks/pose_task.hpp"
#include "aplomb/control/tasks/task.hpp"

namespace aplomb {

/// A task as a user asks for it.
struct TaskSpec {
  enum class Kind { pose, position, orientation, gaze, joint, relative };
  Kind kind = Kind::position;
  std::string link;         ///< the frame that moves
  std::string relative_to;  ///< for Kind::relative: the frame it moves in
  int level = 1;            ///< tasks of one level share it by weight; a smaller number is strictly first
  double weight = 1.0;      ///< of the squared error
  PoseTask::Reference reference;
  Eigen::Vector3d gaze_point = Eigen::Vector3d::Zero();  ///< in the world at the start [m]
  std::map<std::string, double> joint_angles;            ///< by joint [rad]
};

/// The frames that tasks ask for.
std::vector<FrameId> frames_of(const std::vector<TaskSpec>& specs, const RobotModel& model);

/// Throws UnknownName on a link or joint that the robot does not have, InvalidValue on an angle outside of its limits.
/// Speeds are limited in relation to the size of the robot, `length` [m].
std::unique_ptr<Task> make_task(const TaskSpec& spec, const RobotModel& model, const StandingKinematics& start,
                                double length);

}  // namespace aplomb
