#pragma once

#include <filesystem>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/pipeline/rise_planner.hpp"

namespace aplomb {

Schema plan_schema();        ///< of the key `plan`
Schema trajectory_schema();  ///< of the key `reference.trajectory`

/// Relative paths count from `folder`. Throws FileError when both `plan` and `reference.trajectory` are there.
PlanRequest read_plan_request(const YamlView& root, const std::filesystem::path& folder);

}  // namespace aplomb
