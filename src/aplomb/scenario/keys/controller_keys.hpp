#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

Schema controller_schema();  ///< schema of the key `controller`, with a block for every registered kind
ControllerRequest read_controller(const YamlView& view);

}  // namespace aplomb
