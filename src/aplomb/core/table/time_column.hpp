#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace aplomb {

/// First fault of a time column.
struct TimeFault {
  std::size_t row = 0;  ///< from 0
  std::string text;
};

/// Checks the times of samples at a constant rate [s]: each is finite and later than the one before, and no step is
/// longer than 1.8 times the median step (a missing sample doubles it) or shorter than a fifth of it. Times that are
/// all whole milliseconds may be rounded ones: their steps are granted one more. None: the mean rate describes them.
std::optional<TimeFault> find_time_fault(std::span<const double> times_s);

}  // namespace aplomb
