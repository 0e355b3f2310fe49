#pragma once

#include <filesystem>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/pipeline/rise_planner.hpp"

namespace aplomb {

Schema plan_schema();        ///< schema of the key `plan`
Schema trajectory_schema();  ///< schema of the key `reference.trajectory`

/// Reads either key; relative paths are relative to `folder`. Throws FileError when both are present.
PlanRequest read_plan_request(const YamlView& root, const std::filesystem::path& folder);

}  // namespace aplomb
