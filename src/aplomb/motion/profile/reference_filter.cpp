#include "aplomb/motion/profile/reference_filter.hpp"

#include <cmath>
#include <complex>

namespace aplomb {
namespace {

constexpr double kC0 = 150.77, kC1 = 84.98, kC2 = 15.97;  // coefficients of s³ + c2 s² + c1 s + c0 for T = 1

/// The filter's poles for T = 1: one real, two complex, and the residue of each in the step response.
struct Poles {
  double real;
  std::complex<double> pair;  ///< one of the complex pair
  double real_share;
  std::complex<double> pair_share;

  Poles() {
    real = -kC2 / 3.0;
    const auto cubic = [](double s) { return ((s + kC2) * s + kC1) * s + kC0; };
    double low = -10.0, high = -1.0;  // cubic(low) < 0 < cubic(high)
    for (int i = 0; i < 200; ++i) {
      real = 0.5 * (low + high);
      (cubic(real) < 0.0 ? low : high) = real;
    }
    // Quadratic factor after division by the real pole: s² + (c2 + r) s − c0 / r.
    const double half = -0.5 * (kC2 + real);
    pair = {half, std::sqrt(-kC0 / real - half * half)};
    // Step response of c0 / Π (s − p_i): 1 + Σ c0 e^(p_i t) / (p_i Π_{j ≠ i} (p_i − p_j)).
    const std::complex<double> r(real);
    real_share = (kC0 / (r * (r - pair) * (r - std::conj(pair)))).real();
    pair_share = kC0 / (pair * (pair - r) * (pair - std::conj(pair)));
  }
};

}  // namespace

AxisMotion filtered_step(double time_s, double trajectory_time_s) {
  if (time_s <= 0.0) return {};
  static const Poles poles;
  const double t = time_s / trajectory_time_s;
  const double real = poles.real_share * std::exp(poles.real * t);
  const std::complex<double> pair = 2.0 * poles.pair_share * std::exp(poles.pair * t);
  return {.position = 1.0 + real + pair.real(),
          .velocity = (poles.real * real + (poles.pair * pair).real()) / trajectory_time_s,
          .acceleration = (poles.real * poles.real * real + (poles.pair * poles.pair * pair).real()) /
                          (trajectory_time_s * trajectory_time_s)};
}

}  // namespace aplomb
