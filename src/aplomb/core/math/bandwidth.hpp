#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Spectrum of the noise of a signal.
enum class NoiseShape {
  flat,           ///< white: a position measured independently in every frame
  differentiated  ///< noise of a velocity from central differences of such positions
};

/// Bandwidth of signals (one per row, one sample per column): the lowest cut-off of a zero-phase low-pass that removes
/// nothing but noise from any of them [Hz]. The noise level is estimated above kNoiseFrom, where no human CoM moves; a
/// signal has content between two cut-offs when its energy there exceeds that of the noise. Never below kLowest;
/// infinite when the rate is too low, the recording too short, or the signals have content up to kNoiseFrom.
double signal_bandwidth(const Eigen::Ref<const Eigen::MatrixXd>& signals, NoiseShape noise, double rate_hz);

inline constexpr double kNoiseFrom = 10.0;  ///< [Hz] above it human CoM motion has no content
inline constexpr double kLowest = 2.0;      ///< [Hz]

}  // namespace aplomb
