#include "aplomb/control/failsafe/sensor_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

/// The first tick in which the left foot's wrench is found frozen, while its vertical force is `force(tick)`; −1:
/// never.
int frozen_at(const std::function<double(int)>& force, bool moves = true) {
  const RobotModel robot = test::our_robot("coman");
  SensorWatch watch(robot);
  SensorReadings readings;
  readings.state = robot.posture("half_sitting");
  for (int tick = 0; tick < 2000; ++tick) {
    readings.foot_wrench[kLeft].force.z() = force(tick);
    watch.update(readings, moves);
    if (watch.finding(Sensor::left_foot_wrench) == SensorFinding::frozen) return tick;
  }
  return -1;
}

double swaying(int tick) { return 150.0 + 10.0 * std::sin(0.02 * tick); }
double rounded(double value, double step) { return step * std::round(value / step); }

TEST(SensorWatch, FindsAForceThatFreezesWhileTheRobotMovesAfterTenTicks) {
  const auto freezing = [](int tick) { return swaying(std::min(tick, 1000)); };
  EXPECT_EQ(frozen_at(freezing), 1010);
  EXPECT_EQ(frozen_at(freezing, /*moves=*/false), -1);
}

TEST(SensorWatch, FindsNothingInAContactThatOpensAndReadsItsOffset) {
  EXPECT_EQ(frozen_at([](int tick) { return tick < 1000 ? swaying(tick) : 3.0; }), -1);
}

TEST(SensorWatch, FindsNothingInCoarseForcesOfARobotThatComesToRest) {
  for (const double step : {0.01, 0.5, 4.0}) {
    EXPECT_EQ(frozen_at([step](int tick) {
                return rounded(150.0 + 20.0 * std::exp(-0.01 * tick) * std::sin(0.05 * tick), step);
              }),
              -1)
        << step;
  }
}

TEST(SensorWatch, FindsNothingInASensorThatIsSampledSlowly) {
  EXPECT_EQ(frozen_at([](int tick) { return swaying(tick - tick % 15); }), -1);
}

}  // namespace
}  // namespace aplomb
