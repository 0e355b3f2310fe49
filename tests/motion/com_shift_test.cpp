#include "aplomb/motion/com_shift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 100.0;  // [Hz]

/// A half wave of 20 mm in the middle of 3 s.
Eigen::VectorXd half_wave() {
  Eigen::VectorXd wave = Eigen::VectorXd::Zero(300);
  for (Eigen::Index i = 100; i < 160; ++i)
    wave[i] = 0.02 * std::sin(std::numbers::pi * static_cast<double>(i - 100) / 60.0);
  return wave;
}

/// ZMP of a body that moves as one:  p = d − b d″.
double zmp(const Eigen::VectorXd& shift, const Eigen::VectorXd& b, Eigen::Index i) {
  return shift[i] - b[i] * (shift[i + 1] - 2.0 * shift[i] + shift[i - 1]) * kRate * kRate;
}

TEST(ComShift, MovesTheZmpOfAPendulumAsAsked) {
  const Eigen::VectorXd asked = half_wave();
  // Constant height; a CoM that rises and is accelerated meanwhile.
  const Eigen::VectorXd constant = Eigen::VectorXd::Constant(asked.size(), 0.8 / kGravity);
  const Eigen::VectorXd rising = Eigen::ArrayXd::LinSpaced(asked.size(), 0.4, 0.9) /
                                 (kGravity + Eigen::ArrayXd::LinSpaced(asked.size(), 3.0, -3.0));
  for (const Eigen::VectorXd& b : {constant, rising}) {
    const Eigen::VectorXd shift = com_shift_for_zmp(asked, b, kRate);
    for (Eigen::Index i = 1; i + 1 < asked.size(); ++i) EXPECT_NEAR(zmp(shift, b, i), asked[i], 1e-12) << i;
    EXPECT_EQ(shift[0], 0.0);
    EXPECT_EQ(shift[asked.size() - 1], 0.0);
  }
}

TEST(ComShift, OfAWaveDecaysWithThePendulumsTimeConstantBeforeAndAfterIt) {
  const Eigen::VectorXd asked = half_wave(), b = Eigen::VectorXd::Constant(asked.size(), 0.4 / kGravity);
  const Eigen::VectorXd shift = com_shift_for_zmp(asked, b, kRate);
  // d = sinh(ω t) from an end on, ω = 1 / √b = 4.95/s; from 0.6 s on e^(ω t) within 3e-4 in the ratio of two samples.
  const double decay = std::exp(-1.0 / std::sqrt(b[0]) / kRate);
  for (Eigen::Index i = 60; i < 95; ++i) EXPECT_NEAR(shift[i] / shift[i + 1], decay, 5e-4) << i;
  for (Eigen::Index i = 165; i < 200; ++i) EXPECT_NEAR(shift[i + 1] / shift[i], decay, 5e-4) << i;
}

TEST(ComShift, EqualsTheZmpsOnTheGroundAndVanishesWithoutADemand) {
  const Eigen::VectorXd asked = half_wave(), flat = Eigen::VectorXd::Zero(asked.size());
  EXPECT_EQ(com_shift_for_zmp(asked, flat, kRate), asked);  // b = 0: the ZMP is the CoM's projection
  EXPECT_EQ(com_shift_for_zmp(flat, Eigen::VectorXd::Constant(asked.size(), 0.08), kRate), flat);
}

}  // namespace
}  // namespace aplomb
