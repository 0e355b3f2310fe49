#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {

/// How a robot's rise from a chair is planned; the key `plan`, or `reference.trajectory`.
struct PlanRequest {
  enum class Parameters { identified, cad, actual };

  bool is_asked = false;          ///< the scenario has a plan at all
  std::string style = "natural";  ///< of the built-in demonstrator
  std::string demonstration;      ///< a recording, or what `aplomb human` wrote; empty: the demonstrator
  std::string trajectory;         ///< what `aplomb retarget` wrote; empty: planned here
  Parameters parameters = Parameters::identified;
  int rise = 1;
  double speed = 1.0;
  double start_s = 1.0;
  std::int64_t seed = 1;  ///< of the identification's postures and noise

  /// Whether another request gives the same plan, whatever its speed.
  bool plans_as(const PlanRequest& other) const;
};

Schema plan_schema();        ///< of the key `plan`
Schema trajectory_schema();  ///< of the key `reference.trajectory`

/// Relative paths count from `folder`. Throws FileError when both `plan` and `reference.trajectory` are there.
PlanRequest read_plan_request(const YamlView& root, const std::filesystem::path& folder);

}  // namespace aplomb
