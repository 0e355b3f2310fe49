#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

Schema plant_schema();  ///< schema of the key `plant`
Plant read_plant(const YamlView& view);

/// The simulated robot: `believed` with the changes of `plant`. Throws FileError on an unknown or massless link.
RobotModel make_plant(const RobotModel& believed, const Plant& plant);

}  // namespace aplomb
