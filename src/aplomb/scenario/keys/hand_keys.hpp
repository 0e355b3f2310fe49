#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/hand_force.hpp"

namespace aplomb {

Schema hands_schema();  ///< schema of the key `reference.hands`
HandForces read_hand_forces(const YamlView& reference);

}  // namespace aplomb
