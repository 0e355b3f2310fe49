#include "aplomb/control/failsafe/pair_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;

/// A channel that swings by 0.1 rad at 1 Hz beside one that rests, with noise; `disturb(tick, position, velocity)`
/// changes the readings. Returns the first tick in which something was found, and what.
struct Outcome {
  int tick = -1;
  PairWatch::Findings findings;
};
using Disturb = std::function<void(int, Eigen::Vector2d&, Eigen::Vector2d&)>;
Outcome watch(const Disturb& disturb, double position_noise = 0.0, double velocity_noise = 0.0, int num_ticks = 3000) {
  PairWatch watch(2, kPeriod, 2e-3);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Eigen::Vector2d last = Eigen::Vector2d::Zero();
  for (int tick = 0; tick < num_ticks; ++tick) {
    const double phase = 2.0 * M_PI * kPeriod * tick;
    Eigen::Vector2d position(0.1 * std::sin(phase), 0.0), velocity(0.2 * M_PI * std::cos(phase), 0.0);
    for (double& value : position) value += position_noise * normal(random);
    for (double& value : velocity) value += velocity_noise * normal(random);
    disturb(tick, position, velocity);
    const Eigen::Vector2d step = position - last;
    last = position;
    const PairWatch::Findings& found = watch.update(step, velocity);
    if (found.has_any()) return {tick, found};
  }
  return {};
}

const Disturb kNothing = [](int, Eigen::Vector2d&, Eigen::Vector2d&) {};

TEST(PairWatch, FindsNothingInASwingWithAndWithoutNoise) {
  EXPECT_EQ(watch(kNothing).tick, -1);
  EXPECT_EQ(watch(kNothing, 5e-3, 0.0).tick, -1);
  EXPECT_EQ(watch(kNothing, 0.0, 0.1).tick, -1);
  EXPECT_EQ(watch(kNothing, 1e-4, 0.02).tick, -1);
}

TEST(PairWatch, FindsNothingInQuantisedPositionsOfARobotAtRest) {
  const Outcome outcome = watch([](int, Eigen::Vector2d& position, Eigen::Vector2d&) {
    constexpr double kStep = 1.2e-5;
    position = (position / kStep).array().round().matrix() * kStep;
  });
  EXPECT_EQ(outcome.tick, -1);
}

TEST(PairWatch, FindsNothingWhenPacketsAreLost) {
  std::mt19937_64 random(3);
  Eigen::Vector2d held = Eigen::Vector2d::Zero();
  const Outcome outcome = watch([&](int, Eigen::Vector2d& position, Eigen::Vector2d&) {
    if (std::uniform_real_distribution<double>()(random) < 0.05) position = held;
    held = position;
  });
  EXPECT_EQ(outcome.tick, -1);
}

/// What a joint does that meets a wall: its velocity changes within a tick, between the substeps of a simulation of
/// eight, and what is read is the velocity at the end, low-passed and late.
TEST(PairWatch, FindsNothingInImpactsOfAFilteredVelocity) {
  for (const double impact : {0.5, 3.0, 10.0}) {
    for (const double cutoff_hz : {0.0, 100.0}) {
      constexpr int kSubsteps = 8;
      const double gain = 1.0 - std::exp(-2.0 * M_PI * cutoff_hz * kPeriod);
      const double lag_s = cutoff_hz > 0.0 ? kPeriod + 1.0 / (2.0 * M_PI * cutoff_hz) : 2e-3;
      PairWatch watch(1, kPeriod, lag_s);
      std::mt19937_64 random(2);
      Eigen::VectorXd step(1), velocity(1), read(1);
      read.setZero();
      double rate = 0.3;
      for (int tick = 0; tick < 3000; ++tick) {
        double moved = 0.0;
        const int hit = tick % 250 == 200 ? static_cast<int>(random() % kSubsteps) : -1;
        for (int i = 0; i < kSubsteps; ++i) {
          if (i == hit) rate = rate > 0.0 ? -impact : impact;
          rate *= 0.998;
          moved += rate * kPeriod / kSubsteps;
        }
        step[0] = moved;
        velocity[0] = rate;
        if (cutoff_hz > 0.0) {
          read += gain * (step / kPeriod - read);
        } else {
          read = velocity;
        }
        ASSERT_FALSE(watch.update(step, read).has_any()) << impact << " " << cutoff_hz << " " << tick;
      }
    }
  }
}

TEST(PairWatch, FindsNothingInCoarseReadingsOfASlowRobot) {
  // Positions in steps of 1 mrad, velocities in steps of 5 mrad/s.
  const Outcome outcome = watch(
      [](int tick, Eigen::Vector2d& position, Eigen::Vector2d& velocity) {
        const double phase = 0.5 * kPeriod * tick;
        position[0] = 0.02 * std::sin(phase);
        velocity[0] = 0.01 * std::cos(phase);
        position = (position / 1e-3).array().round().matrix() * 1e-3;
        velocity = (velocity / 5e-3).array().round().matrix() * 5e-3;
      },
      0.0, 0.0, 20000);
  EXPECT_EQ(outcome.tick, -1);
}

TEST(PairWatch, FindsAJumpOfThePositionInItsTick) {
  const Outcome outcome = watch([](int tick, Eigen::Vector2d& position, Eigen::Vector2d&) {
    if (tick >= 1000) position[1] += 0.02;
  });
  EXPECT_EQ(outcome.tick, 1000);
  EXPECT_TRUE(outcome.findings.position_jumped);
  EXPECT_FALSE(outcome.findings.velocity_jumped);
}

TEST(PairWatch, FindsAVelocityThatContradictsItsPositionWithin20Ticks) {
  const Outcome outcome = watch([](int tick, Eigen::Vector2d&, Eigen::Vector2d& velocity) {
    if (tick >= 1000) velocity[0] += 1.0;
  });
  EXPECT_GE(outcome.tick, 1000);
  EXPECT_LE(outcome.tick, 1020);
  EXPECT_TRUE(outcome.findings.velocity_jumped);
  EXPECT_FALSE(outcome.findings.position_jumped);
}

TEST(PairWatch, FindsFrozenChannelsWithin20TicksWhileTheyMove) {
  Eigen::Vector2d held = Eigen::Vector2d::Zero();
  const Outcome position = watch([&](int tick, Eigen::Vector2d& value, Eigen::Vector2d&) {
    if (tick >= 1000) value[0] = held[0];
    held = value;
  });
  EXPECT_GE(position.tick, 1000);
  EXPECT_LE(position.tick, 1020);
  EXPECT_TRUE(position.findings.position_frozen);
  EXPECT_FALSE(position.findings.velocity_frozen);
  EXPECT_FALSE(position.findings.velocity_jumped);

  const Outcome velocity = watch([&](int tick, Eigen::Vector2d&, Eigen::Vector2d& value) {
    if (tick >= 1100) value[0] = held[0];
    held = value;
  });
  EXPECT_GE(velocity.tick, 1100);
  EXPECT_LE(velocity.tick, 1120);
  EXPECT_TRUE(velocity.findings.velocity_frozen);
  EXPECT_FALSE(velocity.findings.position_frozen);
}

TEST(PairWatch, DoesNotAllocate) {
  PairWatch watch(2, kPeriod, 2e-3);
  const Eigen::Vector2d step(1e-4, 0.0), velocity(0.1, 0.0);
  watch.update(step, velocity);
  const test::AllocationCount allocations;
  for (int i = 0; i < 100; ++i) watch.update(step, velocity);
  watch.interrupt();
  EXPECT_EQ(allocations.since_start(), 0u);
}

}  // namespace
}  // namespace aplomb
