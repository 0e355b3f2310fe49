#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aplomb/control/fallbacks.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/sim/sensors.hpp"

namespace aplomb {

/// Collects, tick by tick, the fallbacks that a controller takes, by the injected sensor fault that causes them.
class FaultRecord {
 public:
  explicit FaultRecord(const std::vector<SensorFault>& faults);

  void add(double time_s, std::span<const Fallback> taken);  ///< never allocates, but for a fallback's first tick
  /// Each injected fault with the fallbacks that were taken, then fallbacks that no injected fault explains.
  std::vector<Fault> finish(double end_s) const;

 private:
  struct Entry {
    std::optional<std::size_t> fault;  ///< index of the injected fault; absent: none explains the fallback
    Fallback fallback;
    double first_s = 0.0;
    std::int64_t ticks = 0;
  };
  std::optional<std::size_t> cause_of(Sensor sensor, double time_s) const;

  std::vector<SensorFault> faults_;
  std::vector<Entry> entries_;
};

}  // namespace aplomb
