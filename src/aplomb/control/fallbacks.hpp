#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// What a controller does in a tick in place of using a sensor that is lost, or whose reading is not usable.
struct Fallback {
  Sensor sensor{};
  std::string_view action;  ///< a clause for the report; refers to a string literal
};

/// Fallbacks of one tick, each stated by the code that takes it. Never allocates.
class Fallbacks {
 public:
  void clear() { count_ = 0; }
  void take(Sensor sensor, std::string_view action);  ///< the same fallback counts once
  /// For each sensor of the robot's state (SensorReadings::has_state) that does not answer with finite values.
  void take_without_state(const SensorReadings& readings, std::string_view action);
  void take_all(std::span<const Fallback> others);

  std::span<const Fallback> taken() const { return std::span(taken_).first(count_); }

 private:
  static constexpr std::size_t kMost = 4 * 15;  // controllers use fifteen sensors, none has more than four users
  std::array<Fallback, kMost> taken_{};
  std::size_t count_ = 0;
};

}  // namespace aplomb
