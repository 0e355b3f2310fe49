#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Zero-phase low-pass: a second-order Butterworth filter, run forwards and then backwards. Its own cut-off is
/// raised by (√2 − 1)^(−1/4), on the warped axis of the bilinear transform, so that both passes together have −3 dB at
/// `cutoff_hz` (Winter 2009, section 3.4.4.2). Both ends are continued by their reflection through the end sample, 1.5
/// / cutoff long.
class ZeroPhaseFilter {
 public:
  ZeroPhaseFilter(double cutoff_hz, double rate_hz);  ///< throws InvalidValue unless 0 < cutoff < rate / 2

  /// One signal per row, one sample per column.
  Eigen::MatrixXd filtered(const Eigen::Ref<const Eigen::MatrixXd>& signals) const;
  Eigen::Index padding(Eigen::Index num_samples) const;  ///< samples added at each end

 private:
  void pass(Eigen::MatrixXd& signals) const;

  double b0_ = 0.0, a1_ = 0.0, a2_ = 0.0;  ///< y = b0 (x + 2 x₋₁ + x₋₂) − a1 y₋₁ − a2 y₋₂
  double samples_per_period_ = 0.0;        ///< samples in one period of the cut-off frequency
};

/// Derivative over time of each row: central differences over five samples (error h⁴ / 30 of the fifth derivative),
/// over three for the last but one sample of an end, one-sided over three at the end. Fewer than three samples: zero.
Eigen::MatrixXd central_difference(const Eigen::Ref<const Eigen::MatrixXd>& signals, double rate_hz);

}  // namespace aplomb
