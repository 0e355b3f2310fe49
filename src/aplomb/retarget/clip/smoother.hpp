#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Smooths sampled signals without delay and without artefacts at the ends: for each row y of `samples`
///   min |x − y|² + λ |Δ³x|²,   λ = (rate / 2π cutoff)⁶,
/// whose gain is ½ at the cutoff and 1 far below it; parabolas pass unchanged (Whittaker 1923, with third differences,
/// which penalise jerk). Needs a rate of at least four times the cutoff.
class Smoother {
 public:
  Smoother(Eigen::Index num_samples, double rate_hz, double cutoff_hz);

  void smooth(Eigen::MatrixXd& samples) const;  ///< rows are signals, columns instants

 private:
  Eigen::Index size_;
  Eigen::Matrix<double, 4, Eigen::Dynamic> factor_;  ///< L D Lᵀ of the banded matrix: D, then L's three diagonals
};

/// Smooths postures, one per column; the base orientation as a rotation vector relative to that of the middle posture.
void smooth_postures(const Smoother& smoother, Eigen::MatrixXd& q);

}  // namespace aplomb
