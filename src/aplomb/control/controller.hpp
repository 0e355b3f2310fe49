#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

inline constexpr double kControlPeriod = 1e-3;  ///< [s] between two control ticks

/// A value that a controller logs every tick, a column of the log; the unit is the name's suffix:
/// "wanted_linear_rate_x_n".
struct Signal {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();
};

/// What a controller reports of a whole run.
struct ControllerReport {
  Metrics metrics;                 ///< of its own kind (docs/metrics.md)
  std::vector<Fault> faults;       ///< of its sensors or references, with the fallback taken
  std::vector<std::string> notes;  ///< for the reader of the report, one sentence each
};

/// Maps sensor readings to joint commands, once every control period.
/// `step` never throws and never allocates; `Command::status` says whether the command is a fallback.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual const Command& step(const SensorReadings& readings) = 0;
  /// Corrects the inertia of the model, from the next tick on. Only the first call may allocate.
  virtual void correct(const ModelCorrection&) {}
  /// Fallback while a sensor is lost or reads not-a-number, in one sentence for the report.
  virtual std::string_view fallback(Sensor) const { return "none stated"; }

  /// Values of the last tick; names and order never change.
  virtual std::span<const Signal> signals() const { return {}; }
  /// Findings of the whole run, asked for once at its end.
  virtual ControllerReport report() const { return {}; }
};

}  // namespace aplomb
