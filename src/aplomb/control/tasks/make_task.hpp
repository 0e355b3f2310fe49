#pragma once

#include <memory>
#include <vector>

#include "aplomb/control/tasks/task.hpp"
#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The frames that the tasks refer to.
std::vector<FrameId> frames_of(const std::vector<TaskSpec>& specs, const RobotModel& model);

/// Constructs the task that `spec` describes. Throws UnknownName on a link or joint that the robot does not have,
/// InvalidValue on an angle outside of its limits. Speed limits scale with the size of the robot, `length` [m].
std::unique_ptr<Task> make_task(const TaskSpec& spec, const RobotModel& model, const StandingKinematics& start,
                                double length);

}  // namespace aplomb
