#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Smooths sampled signals without delay and without trouble at the ends: for each row y of `samples`
///   min |x − y|² + λ |Δ³x|²,   λ = (rate / 2π cutoff)⁶,
/// which passes half of what is at the cutoff, all of what is far below it, and every parabola as it is (Whittaker
/// 1923, with third differences: the least jerk). Needs a rate of at least four times the cutoff.
class Smoother {
 public:
  Smoother(Eigen::Index num_samples, double rate_hz, double cutoff_hz);

  void smooth(Eigen::MatrixXd& samples) const;  ///< rows are signals, columns instants

 private:
  Eigen::Index size_;
  Eigen::Matrix<double, 4, Eigen::Dynamic> factor_;  ///< L D Lᵀ of the banded matrix: D, then L's three diagonals
};

/// Postures, one column each: the base's turn is smoothed as a rotation vector from the middle posture's.
void smooth_postures(const Smoother& smoother, Eigen::MatrixXd& q);

}  // namespace aplomb
