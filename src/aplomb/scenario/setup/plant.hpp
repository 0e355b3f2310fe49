#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

Schema plant_schema();  ///< of the key `plant`
Plant read_plant(const YamlView& view);

/// The robot as it really is. Throws FileError on a link that it does not have or that has no mass.
RobotModel make_plant(const RobotModel& believed, const Plant& plant);

}  // namespace aplomb
