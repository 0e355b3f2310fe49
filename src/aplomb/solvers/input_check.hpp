#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "aplomb/solvers/solve_status.hpp"

namespace aplomb {

/// Whether every entry is finite, and none so large that squares overflow. NaN compares false.
template <typename Dense>
bool is_within_range(const Dense& entries) {
  return entries.squaredNorm() <= kLargestNorm * kLargestNorm;
}

inline SolveStatus check_bounds(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    if (std::isnan(lower[i]) || std::isnan(upper[i])) return SolveStatus::invalid_value;
    if (lower[i] > upper[i] || lower[i] == INFINITY || upper[i] == -INFINITY) return SolveStatus::invalid_bounds;
    if (lower[i] > kLargestNorm || upper[i] < -kLargestNorm) return SolveStatus::invalid_value;
  }
  return SolveStatus::solved;
}

/// `value` clamped to [lower, upper]; bounds that do not define an interval are ignored.
inline double nearest_within(double value, double lower, double upper) {
  if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY) return value;
  return std::min(std::max(value, lower), upper);
}

}  // namespace aplomb
