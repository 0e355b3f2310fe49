#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/schema.hpp"
#include "aplomb/core/yaml_view.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/motion/hand_force.hpp"

namespace aplomb {

/// What a scenario asks of hands (left and right) and feet.
struct LimbRequest {
  /// Lengths in metres or, where so said, in heights of the CoM.
  struct Step {
    FootStep step;
    bool is_step_per_height = false, is_lift_per_height = false;
  };
  std::array<std::optional<HandForce>, 2> hands;
  std::vector<Step> steps;  ///< one after the other
};

Schema hands_schema();  ///< of the key `reference.hands`
Schema feet_schema();   ///< of the key `reference.feet`
LimbRequest read_limbs(const YamlView& reference);

/// The steps of one foot (kLeft, kRight), for a robot whose CoM is `com_height` above its soles [m].
std::vector<FootStep> steps_of(const LimbRequest& request, int foot, double com_height);

}  // namespace aplomb
