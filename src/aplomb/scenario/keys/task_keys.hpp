#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/task_priority.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A task of `controller.tasks` as it is written: links may be roles, lengths may be in heights of the CoM.
struct TaskRequest {
  TaskSpec spec;
  bool is_radius_per_com_height = false, is_point_per_com_height = false;
  std::string key;  ///< "controller.tasks.0", for errors
  Place place;
};

/// The keys of kind task_priority; what is absent comes from the robot.
struct TaskPriorityRequest {
  bool has_zmp_feedback = true;
  bool is_trunk_upright = true;
  TaskPriority::ZmpError zmp_error = TaskPriority::ZmpError::body;
  TaskPriority::Comfort comfort = TaskPriority::Comfort::start;
  std::optional<double> zmp_kp, zmp_kd_s, zmp_bandwidth;
  double comfort_gain = 4.0, joint_margin = 0.01, torque_scale = 1.0, joint_acceleration = 0.0;
  std::vector<TaskRequest> tasks;
};

Schema task_priority_schema();  ///< of the key `controller.task_priority`
Schema tasks_schema();          ///< of the key `controller.tasks`
TaskPriorityRequest read_task_priority(const YamlView& view, const YamlView& tasks);

/// The tasks for a robot whose CoM is `com_height` above its feet. A head that it lacks is replaced by its trunk.
/// Throws FileError on a role or link that it does not have.
std::vector<TaskSpec> fit_tasks(const TaskPriorityRequest& request, const RobotModel& robot, double com_height,
                                std::vector<std::string>& notes);

}  // namespace aplomb
