#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

Schema world_schema();  ///< of the key `world`

/// Reads it. Where supports and chair are depends on the robot and its start: `place_world` says.
World read_world(const YamlView& view);

}  // namespace aplomb
