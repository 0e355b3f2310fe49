#include "aplomb/recording/checks/force_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "recording/sample_points.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

constexpr double kMass = 70.0;

/// Rises from a chair between 1 s and 2 s; the height of the body and the force that goes with it.
double height(double time) {
  const double s = std::clamp(time - 1.0, 0.0, 1.0);
  return 0.5 + 0.4 * (s - std::sin(2.0 * std::numbers::pi * s) / (2.0 * std::numbers::pi));
}
double acceleration(double time) {
  const double s = time - 1.0;
  return s > 0.0 && s < 1.0 ? 0.4 * 2.0 * std::numbers::pi * std::sin(2.0 * std::numbers::pi * s) : 0.0;
}

Points rising_points(double duration) {
  Points points = test::moving_points(5, static_cast<std::size_t>(100.0 * duration));
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    for (std::size_t i = 0; i < 5; ++i)
      points.xyz[3 * (5 * frame + i) + 2] =
          static_cast<float>(height(points.time_s(frame)) + 0.1 * static_cast<double>(i));
  }
  return points;
}

/// The feet's force, `lag` late; before 1.05 s the seat carries most of it.
VerticalForce rising_force(double duration, double lag) {
  VerticalForce force{.start_s = 0.0, .rate_hz = 1000.0};
  for (int i = 0; i < static_cast<int>(1000.0 * duration); ++i) {
    const double time = 1e-3 * i - lag;
    force.newtons.push_back(time < 1.05 ? 100.0 : kMass * (kStandardGravity + acceleration(time)));
  }
  return force;
}

TEST(ForceChecks, TheWeightIsThatOfStandingNotOfSitting) {
  const std::optional<BodyWeight> weight = find_body_weight(rising_force(4.0, 0.0));
  ASSERT_TRUE(weight);
  EXPECT_NEAR(weight->mass_kg(), kMass, 0.1);
  EXPECT_GT(weight->start_s, 1.9);
}

TEST(ForceChecks, WithoutQuietStandingThereIsNoWeight) {
  VerticalForce force{.start_s = 0.0, .rate_hz = 1000.0};
  for (int i = 0; i < 3000; ++i) force.newtons.push_back(500.0 + 200.0 * std::sin(0.02 * i));
  EXPECT_FALSE(find_body_weight(force));
  EXPECT_FALSE(find_body_weight({}));
}

TEST(ForceChecks, WalkingGivesNoWeightHoweverConstantTheForce) {
  const VerticalForce force{.newtons = std::vector<double>(3000, 700.0), .start_s = 0.0, .rate_hz = 1000.0};
  Points points = test::moving_points(5, 300);
  EXPECT_TRUE(find_body_weight(force, &points));
  for (std::size_t i = 0; i < points.xyz.size(); i += 3) points.xyz[i] += 0.01F * static_cast<float>(i / 15);  // 1 m/s
  EXPECT_FALSE(find_body_weight(force, &points));
}

TEST(ForceChecks, TheLagOfTheForcesIsFound) {
  const Points points = rising_points(4.0);
  for (const double lag : {-0.08, -0.02, 0.0, 0.03, 0.1}) {
    const VerticalForce force = rising_force(4.0, lag);
    const std::optional<ForceLag> found = find_force_lag(points, force, find_body_weight(force));
    ASSERT_TRUE(found) << lag;
    EXPECT_NEAR(found->lag_s, lag, 0.003);  // a third of a frame
    EXPECT_NEAR(found->weight_n, kMass * kStandardGravity, 0.02 * kMass * kStandardGravity);
  }
}

TEST(ForceChecks, ABodyAtRestGivesNoLag) {
  Points points = rising_points(4.0);
  for (float& value : points.xyz) value = 1.0F;
  const VerticalForce force = rising_force(4.0, 0.0);
  EXPECT_FALSE(find_force_lag(points, force, find_body_weight(force)));
}

TEST(ForceChecks, MassesThatDifferByMoreThanTwoPercentAreReported) {
  EXPECT_TRUE(test::has(mass_warning(60.0, 62.6, "the model"), "+4.3 %"));
  EXPECT_EQ(mass_warning(60.0, 61.0, "the model"), "");
  EXPECT_NE(mass_warning(60.0, 58.0, "the model"), "");
}

}  // namespace
}  // namespace aplomb
