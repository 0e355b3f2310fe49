#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

Schema events_schema();  ///< schema of the key `events`

/// Reads the events into the scenario; its duration must be known.
void read_events(const YamlView& events, Scenario& scenario);

}  // namespace aplomb
