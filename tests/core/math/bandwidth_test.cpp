#include "aplomb/core/math/bandwidth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "aplomb/core/math/zero_phase.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 100.0;

Eigen::MatrixXd noise(unsigned seed, double deviation, Eigen::Index samples = 600) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal(0.0, deviation);
  return Eigen::MatrixXd::NullaryExpr(3, samples, [&] { return normal(engine); });
}

/// A step of one second with the least jerk, and a sinusoid that lasts for one second.
Eigen::MatrixXd motion(double step, double sine, double sine_hz, Eigen::Index samples = 600) {
  Eigen::MatrixXd signals = Eigen::MatrixXd::Zero(3, samples);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / kRate;
    const double u = std::clamp(t - 2.0, 0.0, 1.0);
    signals(0, i) = step * u * u * u * (10.0 + u * (6.0 * u - 15.0));
    if (t > 3.0 && t < 4.0) signals(1, i) = sine * std::sin(2.0 * std::numbers::pi * sine_hz * t);
  }
  return signals;
}

TEST(Bandwidth, OfNoiseAloneIsTheLowestOne) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    EXPECT_LT(signal_bandwidth(noise(seed, 1.0), NoiseShape::flat, kRate), 1.3 * kLowest) << seed;
  }
}

TEST(Bandwidth, OfDifferentiatedNoiseAloneIsTheLowestOne) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Eigen::MatrixXd rate = central_difference(noise(seed, 1.0), kRate);
    EXPECT_LT(signal_bandwidth(rate, NoiseShape::differentiated, kRate), 1.3 * kLowest) << seed;
  }
}

TEST(Bandwidth, IsAboveTheContentOfAnySignalDuringAnySecond) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Eigen::MatrixXd signals = motion(0.3, 0.001, 5.0) + noise(seed, 0.0002);
    EXPECT_GT(signal_bandwidth(signals, NoiseShape::flat, kRate), 5.0) << seed;
  }
}

TEST(Bandwidth, RemovesNoiseFromASlowMotionAndLittleOfTheMotion) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Eigen::MatrixXd truth = motion(0.3, 0.0, 1.0);
    const Eigen::MatrixXd measured = truth + noise(seed, 0.0003);
    const double found = signal_bandwidth(measured, NoiseShape::flat, kRate);
    EXPECT_LT(found, 6.0) << seed;
    const auto error = [&](double cutoff) {
      const Eigen::MatrixXd filtered = ZeroPhaseFilter(cutoff, kRate).filtered(measured);
      const Eigen::MatrixXd rate = central_difference(central_difference(filtered - truth, kRate), kRate);
      return rate.middleCols(50, 500).norm();
    };
    EXPECT_LT(error(found), error(8.0)) << seed;
  }
}

TEST(Bandwidth, WithoutNoiseIsNotLimited) {
  EXPECT_TRUE(std::isinf(signal_bandwidth(motion(0.3, 0.0, 1.0), NoiseShape::flat, kRate)));
}

TEST(Bandwidth, OfALowRateOrShortRecordingIsNotLimited) {
  EXPECT_TRUE(std::isinf(signal_bandwidth(noise(1, 1.0), NoiseShape::flat, 30.0)));
  EXPECT_TRUE(std::isinf(signal_bandwidth(noise(1, 1.0, 120), NoiseShape::flat, kRate)));
}

}  // namespace
}  // namespace aplomb
