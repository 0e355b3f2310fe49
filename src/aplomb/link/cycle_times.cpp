#include "aplomb/link/cycle_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aplomb {

void CycleTimes::add(double seconds) {
  const double us = std::isfinite(seconds) ? std::max(1e6 * seconds, 0.0) : 0.0;
  const double bin = std::min(us, static_cast<double>(kBins - 1));
  ++bins_[static_cast<std::size_t>(bin)];
  ++count_;
  max_us_ = std::max(max_us_, us);
}

double CycleTimes::quantile_us(double share) const {
  if (count_ == 0) return 0.0;
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t reached = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    reached += bins_[bin];
    if (reached >= wanted && bin + 1 < kBins) return std::min(static_cast<double>(bin + 1), max_us_);
  }
  return max_us_;
}

void CycleTimes::add_to(Metrics& timing, std::string_view name) const {
  const auto set = [&](std::string_view ending, double us) {
    timing.set(fmt::format("{}_us_{}", name, ending), count_ > 0 ? MetricValue(us) : MetricValue{});
  };
  set("p50", quantile_us(0.5));
  set("p99", quantile_us(0.99));
  set("p999", quantile_us(0.999));
  set("max", max_us_);
}

}  // namespace aplomb
