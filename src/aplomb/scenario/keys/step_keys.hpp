#pragma once

#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/com_request.hpp"

namespace aplomb {

Schema feet_schema();                                       ///< schema of the key `reference.feet`
std::vector<StepRequest> read_steps(const YamlView& feet);  ///< throws FileError unless the times increase

}  // namespace aplomb
