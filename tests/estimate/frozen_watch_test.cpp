#include "aplomb/estimate/frozen_watch.hpp"

#include <gtest/gtest.h>

#include <random>

namespace aplomb {
namespace {

class Watched : public testing::Test {
 protected:
  FrozenWatch watch_{3};
  std::mt19937_64 random_{3};
  std::normal_distribution<double> normal_;
  Eigen::Vector3d value_ = Eigen::Vector3d::Zero();

  void read_noise(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      for (double& value : value_) value = normal_(random_);
      EXPECT_FALSE(watch_.update(value_, false));
    }
  }
  /// Ticks until the sensor, which repeats its reading, is found to be frozen; -1: not within 50.
  int repeat(bool moves) {
    for (int i = 1; i <= 50; ++i) {
      if (watch_.update(value_, moves)) return i;
    }
    return -1;
  }
};

TEST_F(Watched, ANoisySensorIsFoundFrozenWithinFiveTicksAtRest) {
  read_noise(200);
  EXPECT_LE(repeat(false), 5);
  read_noise(1);
  EXPECT_FALSE(watch_.is_frozen());
}

TEST_F(Watched, ASensorWithoutNoiseMayRepeatItselfUntilTheRobotMoves) {
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(watch_.update(value_, false));
  EXPECT_TRUE(watch_.update(value_, true));
  EXPECT_TRUE(watch_.update(value_, false));  // frozen until it changes
  EXPECT_FALSE(watch_.update(Eigen::Vector3d::Ones(), true));
}

TEST_F(Watched, LostPacketsAreNotAFrozenSensor) {
  read_noise(200);
  for (int lost = 0; lost < 3; ++lost) EXPECT_FALSE(watch_.update(value_, true));
  read_noise(1);
}

TEST_F(Watched, ANoisySensorIsNotCalledFrozenBeforeItIsKnown) {
  read_noise(20);
  EXPECT_EQ(repeat(false), -1);
}

}  // namespace
}  // namespace aplomb
