#include "aplomb/control/task_priority/zmp_feedback.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aplomb/control/controller.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

const ZmpFeedback::Sway kStiff{.frequency = 100.0, .damping = 1.0};
const Eigen::Vector2d kFar = Eigen::Vector2d::Constant(1.0);

/// ZMP after some seconds on stiff servos: the CoM is the commanded one, the ZMP c − h/g c̈ + d.
double zmp_after(ZmpFeedback& feedback, double height, double disturbance, double seconds) {
  double zmp = disturbance, last_velocity = feedback.velocity().x();
  for (int i = 0; i < static_cast<int>(seconds / kControlPeriod); ++i) {
    feedback.update({-zmp, 0.0}, 1.0, kFar, kControlPeriod);
    const double acceleration = (feedback.velocity().x() - last_velocity) / kControlPeriod;
    last_velocity = feedback.velocity().x();
    zmp = feedback.shift().x() - height / kGravity * acceleration + disturbance;
  }
  return zmp;
}

TEST(ZmpFeedback, LeavesOneOverOnePlusKpOfAConstantDisturbance) {
  for (double height : {0.2, 0.3, 0.5, 0.9}) {
    for (double kp : {0.3, 1.0, 1.25}) {
      ZmpFeedback::Gains gains = ZmpFeedback::Gains::for_body(height, kStiff);
      gains.kp = kp;
      ZmpFeedback feedback(gains, height);
      EXPECT_NEAR(zmp_after(feedback, height, 0.02, 10.0), 0.02 / (1.0 + kp), 1e-6) << height << " " << kp;
    }
  }
}

TEST(ZmpFeedback, RecoversFromADisturbanceWithinSixTenthsOfASecond) {
  const double height = 0.3;
  ZmpFeedback feedback(ZmpFeedback::Gains::for_body(height, kStiff), height);
  zmp_after(feedback, height, 0.02, 10.0);
  EXPECT_LT(std::abs(zmp_after(feedback, height, 0.0, 0.6)), 2e-3);
}

TEST(ZmpFeedback, IsStableForSoftAndStiffServosOnRobotsOfAnySize) {
  for (double height : {0.15, 0.3, 0.55, 0.9, 1.2}) {
    const double mass = 330.0 * height * height * height;  // HOAP-3, scaled
    for (double stiffness : {4.0, 8.0, 16.0, 40.0}) {      // [m g h]; below 1 it falls over
      for (double damping : {0.15, 0.3, 0.6}) {            // [k / ω0]
        const double k = stiffness * mass * kGravity * height;
        const auto sway = ZmpFeedback::Sway::of_body(mass, height, k, damping * std::sqrt(height / kGravity) * k);
        const LoopMargins margins = ZmpFeedback(ZmpFeedback::Gains::for_body(height, sway), height).margins(sway);
        EXPECT_TRUE(margins.is_stable) << height << " " << stiffness << " " << damping;
        EXPECT_GT(margins.gain, 2.0) << height << " " << stiffness << " " << damping;
        EXPECT_GT(margins.phase, std::numbers::pi / 6.0) << height << " " << stiffness << " " << damping;
      }
    }
  }
}

TEST(ZmpFeedback, IsUnstableWithThePrintedLaw) {
  // Without the filter the shift is Kp e_z: a bandwidth far above ω0.
  const double height = 0.3;
  for (double kp : {0.5, 1.0}) {
    ZmpFeedback::Gains gains{.kp = kp, .bandwidth = 1.0 / std::sqrt(1e-6), .damping = 1.0};
    // The term K/ω0² keeps the ideal loop stable for every ωn, so the servos are compliant here, as real ones are.
    const ZmpFeedback feedback(gains, height);
    const auto sway = ZmpFeedback::Sway::of_body(8.8, height, 16.0 * 8.8 * kGravity * height, 20.0);
    EXPECT_FALSE(feedback.margins(sway).is_stable) << kp;
  }
}

TEST(ZmpFeedback, ReturnsTheShiftToZeroWhileTheGateIsClosed) {
  const double height = 0.3;
  ZmpFeedback feedback(ZmpFeedback::Gains::for_body(height, kStiff), height);
  zmp_after(feedback, height, 0.02, 5.0);
  ASSERT_GT(std::abs(feedback.shift().x()), 5e-3);
  for (int i = 0; i < 3000; ++i) feedback.update({1.0, -1.0}, 0.0, kFar, kControlPeriod);
  EXPECT_LT(feedback.shift().norm(), 1e-4);
}

TEST(ZmpFeedback, KeepsTheShiftWithinItsLimit) {
  ZmpFeedback feedback(ZmpFeedback::Gains::for_body(0.3, kStiff), 0.3);
  for (int i = 0; i < 5000; ++i) {
    feedback.update({1.0, -1.0}, 1.0, {0.01, 0.02}, kControlPeriod);
    ASSERT_LE(feedback.shift().x(), 0.01);
    ASSERT_GE(feedback.shift().y(), -0.02);
  }
}

}  // namespace
}  // namespace aplomb
