#pragma once

#include <array>
#include <optional>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/hand_force.hpp"

namespace aplomb {

/// What a scenario asks of hands, left and right.
struct LimbRequest {
  std::array<std::optional<HandForce>, 2> hands;
};

Schema hands_schema();  ///< of the key `reference.hands`
LimbRequest read_limbs(const YamlView& reference);

}  // namespace aplomb
