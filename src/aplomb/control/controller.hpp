#pragma once

#include <string_view>

#include "aplomb/robot/command.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Turns what the robot senses into what its joints shall do, a thousand times a second.
/// `step` never throws and never allocates; `Command::status` says whether the command is a fallback.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual const Command& step(const SensorReadings& readings) = 0;
  /// What this controller does while a sensor is lost or says not-a-number, in one sentence for the report.
  virtual std::string_view fallback(Sensor) const { return "none stated"; }
};

}  // namespace aplomb
