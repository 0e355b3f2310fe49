#include "aplomb/core/math/bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/math/zero_phase.hpp"

namespace aplomb {
namespace {

constexpr double kStep = 0.93;     // ratio of one cut-off to the next higher one
constexpr double kUnlikely = 4.0;  // standard deviations of the noise energy over the whole recording (p < 1e-4)
constexpr double kUnlikelyForAWhile = 6.0;  // the same over any one second, of which there are many (p < 1e-8)
constexpr double kShortest = 2.0;           // [s] shortest recording for an estimate
constexpr int kGrid = 400;                  // number of frequencies up to half the sample rate

/// Power response of the zero-phase filter: one half at the cut-off.
double gain(double f, double cutoff_hz, double rate_hz) {
  const double warp = std::tan(std::numbers::pi * f / rate_hz) / std::tan(std::numbers::pi * cutoff_hz / rate_hz);
  return 1.0 / (1.0 + (std::numbers::sqrt2 - 1.0) * std::pow(warp, 4));
}

double noise_power(NoiseShape shape, double f, double rate_hz) {
  if (shape == NoiseShape::flat) return 1.0;
  const double w = 2.0 * std::numbers::pi * f / rate_hz;
  return std::pow((8.0 * std::sin(w) - std::sin(2.0 * w)) / 6.0, 2);
}

/// Energy of the noise between two cut-offs, divided by that above the upper one.
double noise_ratio(NoiseShape shape, double lower_hz, double upper_hz, double rate_hz) {
  double between = 0.0, above = 0.0;
  for (int i = 1; i < kGrid; ++i) {
    const double f = 0.5 * rate_hz * i / kGrid, power = noise_power(shape, f, rate_hz);
    const double upper = gain(f, upper_hz, rate_hz);
    between += power * std::pow(upper - gain(f, lower_hz, rate_hz), 2);
    above += power * std::pow(1.0 - upper, 2);
  }
  return between / above;
}

/// Whether `part` is noise: the energy of noise of bandwidth b over a time T deviates from its mean by 1 / √(b T) of
/// it.
bool is_noise(const Eigen::MatrixXd& part, const Eigen::VectorXd& expected, double band_hz, double rate_hz) {
  const auto second = static_cast<Eigen::Index>(std::lround(rate_hz));
  const double duration = static_cast<double>(part.cols()) / rate_hz;
  const Eigen::ArrayXXd squares = part.array().square();
  const auto is_louder = [&](const Eigen::ArrayXd& energy, double deviations, double seconds) {
    return (energy > (1.0 + deviations / std::sqrt(band_hz * seconds)) * expected.array()).any();
  };
  if (is_louder(squares.rowwise().mean(), kUnlikely, duration)) return false;
  for (Eigen::Index i = 0; i + second <= part.cols(); i += second / 2) {
    if (is_louder(squares.middleCols(i, second).rowwise().mean(), kUnlikelyForAWhile, 1.0)) return false;
  }
  return true;
}

}  // namespace

double signal_bandwidth(const Eigen::Ref<const Eigen::MatrixXd>& signals, NoiseShape noise, double rate_hz) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  const auto second = static_cast<Eigen::Index>(std::lround(rate_hz));
  const Eigen::Index margin = second / 4;  // samples affected by the extension of the ends
  const Eigen::Index inside = signals.cols() - 2 * margin;
  if (rate_hz < 4.0 * kNoiseFrom || static_cast<double>(inside) < kShortest * rate_hz) return kAll;
  const Eigen::MatrixXd upper = ZeroPhaseFilter(kNoiseFrom, rate_hz).filtered(signals);
  const Eigen::VectorXd above = (signals - upper).middleCols(margin, inside).array().square().rowwise().mean();
  double found = kAll;
  for (double f = kStep * kNoiseFrom; f >= kLowest; f *= kStep) {
    const Eigen::MatrixXd part = (upper - ZeroPhaseFilter(f, rate_hz).filtered(signals)).middleCols(margin, inside);
    // A narrow band can exceed the noise by chance: the widest band that is noise decides.
    if (is_noise(part, noise_ratio(noise, f, kNoiseFrom, rate_hz) * above, kNoiseFrom - f, rate_hz)) found = f;
  }
  return found;
}

}  // namespace aplomb
