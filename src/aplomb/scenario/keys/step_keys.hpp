#pragma once

#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/foot_step.hpp"

namespace aplomb {

/// A step as a scenario has it: lengths in metres, or over the CoM's height.
struct StepRequest {
  FootStep step;
  bool is_step_per_height = false, is_lift_per_height = false;
};

Schema feet_schema();                                       ///< of the key `reference.feet`
std::vector<StepRequest> read_steps(const YamlView& feet);  ///< throws FileError on times that do not rise
std::vector<FootStep> make_steps(const std::vector<StepRequest>& requests, double com_height);  ///< [m]

}  // namespace aplomb
