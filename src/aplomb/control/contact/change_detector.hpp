#pragma once

namespace aplomb {

/// Detects from a noisy signal, tick by tick, that its mean has risen above a threshold: Page's cumulative sum (Page
/// 1954). The excesses over the threshold are summed, never below zero; the change is detected when the sum exceeds
///   h = max(least, 25 σ² / (2 margin)).
/// White noise of variance σ² about a mean that is still `margin` below the threshold reaches h once in about
/// exp(2 margin h / σ²) = e²⁵ ticks, so that noise only delays the detection. σ² is half the mean square of the changes
/// between ticks. Never allocates.
class ChangeDetector {
 public:
  void observe(double signal);  ///< once per tick, before `has_changed`: estimates the noise
  /// `excess`: of the signal, or of its negative, over the threshold. `least`: of the sum, without noise.
  bool has_changed(double excess, double margin, double least);
  void restart() { sum_ = 0.0; }
  double deviation() const;  ///< σ, standard deviation of the noise

 private:
  double last_ = 0.0, variance_ = 0.0, sum_ = 0.0;
  int ticks_ = 0;  ///< number of changes in the mean square
};

}  // namespace aplomb
