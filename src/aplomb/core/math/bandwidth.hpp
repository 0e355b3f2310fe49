#pragma once

#include <Eigen/Core>

namespace aplomb {

/// How the noise of a signal is spread over frequencies.
enum class NoiseShape {
  flat,           ///< as of a position that is measured anew in every frame
  differentiated  ///< as of a velocity by central differences of such positions
};

/// The lowest cut-off of a zero-phase low-pass that takes nothing but noise away from any of these signals (one a row,
/// one sample a column) [Hz]. How strong the noise is is told by what is above kNoiseFrom, where no body's centre of
/// mass moves; a signal has a part of its own between two cut-offs when it has more energy there than that noise has.
/// Never below kLowest; infinite when the rate is too low, the recording too short, or the signals have parts of their
/// own up to kNoiseFrom.
double signal_bandwidth(const Eigen::Ref<const Eigen::MatrixXd>& signals, NoiseShape noise, double rate_hz);

inline constexpr double kNoiseFrom = 10.0;  ///< [Hz]
inline constexpr double kLowest = 2.0;      ///< [Hz]

}  // namespace aplomb
