#include "aplomb/control/rise_control.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "control/rise/sitting_plan.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

RiseControl sitting_control(double from, double to) {
  const RobotState start = test::sitting_readings(0.0, 0.0).state;
  return RiseControl(test::sitting_robot(), start, {}, {.plan = test::sitting_plan(from, to)});
}

TEST(RiseControl, AStepDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  RiseControl control = sitting_control(0.5, 0.3);
  SensorReadings readings = test::sitting_readings(0.0, 0.5 * test::sitting_weight());
  control.step(readings);
  const test::AllocationCount allocations;
  for (int tick = 0; tick < 50; ++tick) {
    readings.time_s = 1e-3 * tick;
    control.step(readings);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(RiseControl, CommandsDoNotJumpWhileTheSeatIsReleased) {
  RiseControl control = sitting_control(0.3, 0.0);
  Eigen::VectorXd before;
  for (int tick = 0; tick <= 900; ++tick) {
    const double share = 0.3 * (1.0 - 1e-3 * tick);
    const Command& command = control.step(test::sitting_readings(1e-3 * tick, share * test::sitting_weight()));
    ASSERT_EQ(command.status, CommandStatus::solved) << tick;
    if (tick > 50) {
      EXPECT_LT((command.torque - before).cwiseAbs().maxCoeff(), 5.0) << tick;
    }
    before = command.torque;
  }
}

TEST(RiseControl, WithoutAStateItHoldsTheLastCommandAndSaysSo) {
  RiseControl control = sitting_control(0.5, 0.5);
  SensorReadings readings = test::sitting_readings(0.0, 0.5 * test::sitting_weight());
  const Eigen::VectorXd torque = control.step(readings).torque;
  readings.time_s = 1e-3;
  readings.state.q[10] = std::numeric_limits<double>::quiet_NaN();
  readings.is_lost[static_cast<std::size_t>(Sensor::joint_position)] = true;
  const Command& command = control.step(readings);
  EXPECT_EQ(command.status, CommandStatus::reading_missing);
  EXPECT_EQ(command.torque, torque);
  EXPECT_FALSE(control.fallbacks().empty());
}

}  // namespace
}  // namespace aplomb
