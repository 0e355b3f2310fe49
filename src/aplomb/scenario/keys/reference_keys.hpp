#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/com_request.hpp"

namespace aplomb {

Schema reference_schema();  ///< schema of the key `reference`
ComRequest read_com_reference(const YamlView& reference);

}  // namespace aplomb
