#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Shift d of the CoM along one horizontal axis that moves the ZMP by `zmp_shift`, for a body that moves as one:
///   d − b d″ = zmp_shift,   b = h / (g + c̈_z) [s²] with h the CoM height,   d = 0 at the first and the last sample.
/// One entry per sample [m]; `b` may vary from sample to sample. Where b ≥ 0 there is exactly one solution.
Eigen::VectorXd com_shift_for_zmp(const Eigen::VectorXd& zmp_shift, const Eigen::VectorXd& b, double rate_hz);

}  // namespace aplomb
