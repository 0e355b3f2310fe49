#pragma once

#include <string>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

Schema tasks_schema();  ///< schema of the key `controller.tasks`
std::vector<TaskRequest> read_tasks(const YamlView& tasks);

/// Applies the requests to a robot whose CoM is `com_height` above its feet. A missing head is replaced by the trunk.
/// Throws FileError on a role or link that the robot does not have.
std::vector<TaskSpec> fit_tasks(const std::vector<TaskRequest>& requests, const RobotModel& robot, double com_height,
                                std::vector<std::string>& notes);

}  // namespace aplomb
