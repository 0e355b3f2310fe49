#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Continues signals (rows) from column `begin` on so that they are zero from column `end` on: with the value and the
/// rate that they have before `begin`, by
///   x(u) = x₀ (1 − 10 u³ + 15 u⁴ − 6 u⁵) + ẋ₀ T (u − 6 u³ + 8 u⁴ − 3 u⁵),   u = (t − t₀) / T from 0 to 1,
/// without a jump of the first two derivatives at the end. All columns from `begin` on are written.
void return_to_rest(Eigen::Index begin, Eigen::Index end, Eigen::Matrix3Xd& signals);

}  // namespace aplomb
