#pragma once

#include <any>
#include <map>
#include <string>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/keys/task_keys.hpp"

namespace aplomb {

/// The block `controller` of a scenario.
struct ControllerRequest {
  std::string kind = "joint_pd";             ///< one of controller_kinds()
  double gain_scale = 1.0;                   ///< factor for the controller's feedback gains
  std::map<std::string, std::any> settings;  ///< the block of every kind, by its name
  std::vector<TaskRequest> tasks;
};

Schema controller_schema();  ///< of the key `controller`, with a block for every registered kind
ControllerRequest read_controller(const YamlView& view);

}  // namespace aplomb
