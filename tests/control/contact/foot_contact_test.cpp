#include "aplomb/control/contact/foot_contact.hpp"

#include <gtest/gtest.h>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

TEST(FootContact, APrescribedWrenchFollowsItsProfileByHandAndHasNoMoment) {
  // From what the foot carries down to zero until lift-off, and from zero to the stated part of the weight after
  // touch-down, whatever the foot would carry as a rigid contact.
  constexpr double kPart = 0.8;
  const RobotModel robot = test::our_robot("coman");
  const RobotState start = robot.posture("half_sitting");
  const double weight = robot.mass() * kGravity, carried = 0.45 * weight;
  FootStep step{.foot = kRight, .unload_s = 0.1, .lift_off_s = 0.6, .touch_down_s = 1.2, .carry_s = 2.0};
  step.load_to_per_weight = kPart;
  PartialForce::FootSettings settings;
  settings.steps = {step};
  FootContact foot(robot, kRight, start, settings);
  ForceContact contact = foot.make_contact();
  RobotTerms terms(robot, std::vector<FrameId>{foot.frame()});
  terms.update(start);
  SensorReadings readings;
  readings.state = start;
  Fallbacks fallbacks;
  double commanded = carried;
  int num_unloading = 0, num_loading = 0;
  for (int i = 0; i < 2100; ++i) {
    readings.time_s = i * 1e-3;
    const bool is_in_air = readings.time_s > 0.65 && readings.time_s < 1.2;
    readings.foot_wrench[kRight].force.z() = is_in_air ? 0.0 : 0.3 * weight;
    foot.update(terms, readings, commanded, 0.5 * weight, contact, fallbacks);
    if (contact.role != ContactRole::controlled) continue;
    EXPECT_FALSE(contact.share.has_value());
    commanded = contact.force[contact.normal()];
    const bool is_loading = readings.time_s > 1.0;
    ++(is_loading ? num_loading : num_unloading);
    const double full = is_loading ? kPart * weight : carried;
    // a landed foot is pressed down by 0.7 % of the weight in addition
    EXPECT_NEAR(commanded, foot.share() * full + (is_loading ? (1.0 - foot.share()) * 0.007 * weight : 0.0), 1e-9);
    EXPECT_EQ(contact.force.head<2>().norm() + contact.force.tail<3>().norm(), 0.0);
  }
  EXPECT_GT(num_unloading, 300);
  EXPECT_GT(num_loading, 500);
  EXPECT_EQ(foot.share(), 1.0);
}

}  // namespace
}  // namespace aplomb
