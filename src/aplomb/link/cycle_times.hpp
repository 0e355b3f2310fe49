#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "aplomb/core/result.hpp"

namespace aplomb {

/// Histogram of times in bins of one microsecond, up to 20 ms; what is longer is counted in the last bin, and the
/// longest is kept. `add` never allocates.
class CycleTimes {
 public:
  static constexpr std::size_t kBins = 20'000;

  void add(double seconds);
  std::int64_t count() const { return count_; }
  std::int64_t at(std::size_t bin) const { return bins_[bin]; }
  double max_us() const { return max_us_; }
  /// Upper end of the bin in which `share` of all times are reached, at most the longest; 0 without any.
  double quantile_us(double share) const;
  /// NAME_us_p50, _p99, _p999, _max; null without any time.
  void add_to(Metrics& timing, std::string_view name) const;

 private:
  std::array<std::int64_t, kBins> bins_{};
  std::int64_t count_ = 0;
  double max_us_ = 0.0;
};

}  // namespace aplomb
