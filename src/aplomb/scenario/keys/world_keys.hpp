#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

Schema world_schema();  ///< schema of the key `world`

/// Reads the key. Positions of supports and chair depend on the robot and its start; place_world() computes them.
World read_world(const YamlView& view);

}  // namespace aplomb
