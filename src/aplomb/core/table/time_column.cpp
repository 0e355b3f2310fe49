#include "aplomb/core/table/time_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace aplomb {
namespace {

constexpr double kLongest = 1.8, kShortest = 0.2;  // in median steps
constexpr double kMillisecond = 1e-3;

bool is_whole_milliseconds(double time_s) {
  const double milliseconds = time_s / kMillisecond;
  return std::abs(milliseconds - std::round(milliseconds)) < 1e-6 * std::max(1.0, std::abs(milliseconds));
}

}  // namespace

std::optional<TimeFault> find_time_fault(std::span<const double> times_s) {
  std::vector<double> steps;
  steps.reserve(times_s.size());
  for (std::size_t row = 0; row < times_s.size(); ++row) {
    if (!std::isfinite(times_s[row])) return TimeFault{row, fmt::format("the time is {}", times_s[row])};
    if (row == 0) continue;
    steps.push_back(times_s[row] - times_s[row - 1]);
    if (!(steps.back() > 0.0)) {
      return TimeFault{row,
                       fmt::format("time does not increase: {} s comes after {} s", times_s[row], times_s[row - 1])};
    }
  }
  if (steps.size() < 2) return std::nullopt;
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double granted = std::ranges::all_of(times_s, is_whole_milliseconds) ? kMillisecond : 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] <= kLongest * *middle + granted && steps[i] >= kShortest * *middle - granted) continue;
    return TimeFault{i + 1,
                     fmt::format("the step of time to {} s is {:.6g} s, elsewhere {:.6g} s: samples are missing, "
                                 "or a time is wrong",
                                 times_s[i + 1], steps[i], *middle)};
  }
  return std::nullopt;
}

}  // namespace aplomb
