#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/run/start.hpp"

namespace aplomb {

Schema start_schema();  ///< schema of the key `start`
StartRequest read_start(const YamlView& view);

}  // namespace aplomb
