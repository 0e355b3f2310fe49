#include "aplomb/control/contact/contact_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aplomb {
namespace {

constexpr double kWeight = 500.0;

TEST(ContactWatch, NeverMovesFasterThanItsRamp) {
  ContactWatch watch(0.02, kWeight);
  double before = watch.update(250.0, 0.0);
  for (int tick = 0; tick < 400; ++tick) {
    const double measured = tick / 50 % 2 == 0 ? 250.0 : 0.0;
    const double now = watch.update(measured, 250.0);
    EXPECT_LE(std::abs(now - before), 0.001 / 0.02 + 1e-12);
    before = now;
  }
}

TEST(ContactWatch, LosesAContactWithCommandedButNoMeasuredForce) {
  ContactWatch watch(0.02, kWeight);
  watch.update(250.0, 0.0);
  for (int tick = 0; tick < 30; ++tick) watch.update(0.0, 250.0);
  EXPECT_EQ(watch.availability(), 0.0);
  for (int tick = 0; tick < 30; ++tick) watch.update(40.0, 0.0);
  EXPECT_EQ(watch.availability(), 1.0);
}

TEST(ContactWatch, KeepsAContactWithoutACommandedForce) {
  ContactWatch watch(0.02, kWeight);
  watch.update(250.0, 0.0);
  for (int tick = 0; tick < 100; ++tick) watch.update(0.0, 1.0);
  EXPECT_EQ(watch.availability(), 1.0);
}

TEST(ContactWatch, BeginsWithItsFirstMeasurement) {
  ContactWatch lifted(0.02, kWeight), planted(0.02, kWeight), unknown(0.02, kWeight);
  EXPECT_EQ(lifted.update(0.0, 0.0), 0.0);
  EXPECT_EQ(planted.update(250.0, 0.0), 1.0);
  EXPECT_EQ(unknown.update(std::nullopt, 0.0), 1.0);
}

TEST(ContactWatch, KeepsItsAvailabilityWhileTheSensorIsLost) {
  ContactWatch watch(0.02, kWeight);
  watch.update(250.0, 0.0);
  for (int tick = 0; tick < 100; ++tick) watch.update(std::nullopt, 250.0);
  EXPECT_EQ(watch.availability(), 1.0);
}

}  // namespace
}  // namespace aplomb
