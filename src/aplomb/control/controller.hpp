#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "aplomb/control/fallbacks.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

inline constexpr double kControlPeriod = 1e-3;  ///< [s] between two control ticks

/// A value that a controller logs every tick, as one column of the log. The suffix of the name is the unit:
/// "wanted_linear_rate_x_n" is in newtons.
struct Signal {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();
};

/// Report of a controller on a whole run.
struct ControllerReport {
  Metrics metrics;                 ///< metrics of this kind of controller (docs/metrics.md)
  std::vector<Fault> faults;       ///< faults of sensors or references, each with its fallback
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
  /// Fallbacks taken in the last tick: empty while every sensor that the controller used gave a usable reading.
  virtual std::span<const Fallback> fallbacks() const { return {}; }

  /// Values of the last tick; names and order never change.
  virtual std::span<const Signal> signals() const { return {}; }
  /// Metrics, faults and notes of the whole run; called once, at its end.
  virtual ControllerReport report() const { return {}; }
};

}  // namespace aplomb
