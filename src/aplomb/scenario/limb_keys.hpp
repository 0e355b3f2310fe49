#pragma once

#include <array>
#include <optional>

#include "aplomb/core/schema.hpp"
#include "aplomb/core/yaml_view.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/motion/hand_force.hpp"

namespace aplomb {

/// What a scenario asks of hands and feet, left and right.
struct LimbRequest {
  std::array<std::optional<HandForce>, 2> hands;
  std::array<std::optional<FootStep>, 2> feet;
};

Schema hands_schema();  ///< of the key `reference.hands`
Schema feet_schema();   ///< of the key `reference.feet`
LimbRequest read_limbs(const YamlView& reference);

}  // namespace aplomb
