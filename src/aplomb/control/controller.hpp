#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/plot.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Something that a controller says of its tick, for the log: "wanted_linear_rate_x_n".
struct Signal {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();
};

/// Turns what the robot senses into what its joints shall do, a thousand times a second.
/// `step` never throws and never allocates; `Command::status` says whether the command is a fallback.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual const Command& step(const SensorReadings& readings) = 0;
  /// What the robot's body has turned out to be; counts from the next tick on. Only the first call may allocate.
  virtual void correct(const ModelCorrection&) {}
  /// What this controller does while a sensor is lost or says not-a-number, in one sentence for the report.
  virtual std::string_view fallback(Sensor) const { return "none stated"; }

  /// What it says of the last tick; the names never change.
  virtual std::span<const Signal> signals() const { return {}; }
  /// Where each foot's CoP shall be, in the foot's frame [m]; not a number where none is commanded.
  virtual std::array<Eigen::Vector2d, 2> commanded_cop() const {
    const Eigen::Vector2d none = Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    return {none, none};
  }
  /// Adds the metrics of its own kind (docs/metrics.md) at the end of a run.
  virtual void add_metrics(Metrics&) const {}
  /// Adds what it found wrong with its sensors or references, and what it did about it.
  virtual void add_faults(std::vector<Fault>&) const {}
  /// Adds what a report shall draw of its signals, and what a reader should know.
  virtual void add_to_page(ReportPage&) const {}
};

}  // namespace aplomb
