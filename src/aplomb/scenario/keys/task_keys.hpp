#pragma once

#include <string>
#include <vector>

#include "aplomb/control/tasks/task_spec.hpp"
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

Schema tasks_schema();  ///< of the key `controller.tasks`
std::vector<TaskRequest> read_tasks(const YamlView& tasks);

/// The tasks for a robot whose CoM is `com_height` above its feet. A head that it lacks is replaced by its trunk.
/// Throws FileError on a role or link that it does not have.
std::vector<TaskSpec> fit_tasks(const std::vector<TaskRequest>& requests, const RobotModel& robot, double com_height,
                                std::vector<std::string>& notes);

}  // namespace aplomb
