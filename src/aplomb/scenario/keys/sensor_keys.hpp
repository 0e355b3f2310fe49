#pragma once

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/sim/sensors.hpp"

namespace aplomb {

Schema sensors_schema();  ///< schema of the key `sensors`
SensorSuite::Settings read_sensors(const YamlView& view);

Schema sensor_fault_schema();  ///< schema of the event `sensor_fault`
SensorFault read_sensor_fault(const YamlView& view);

}  // namespace aplomb
