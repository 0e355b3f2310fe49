#include "aplomb/run/observer.hpp"

#include <gtest/gtest.h>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/run/start.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(Observer, AllocatesNothingInATick) {
  SKIP_UNLESS_COUNTED();
  const RobotModel robot = RobotModel::load("coman");
  const Start start = make_start({}, World{}, robot);
  Simulation simulation(robot, start.world);
  simulation.start(start.state);
  Observer observer(robot, simulation, ComReference::hold(Eigen::Vector3d::Zero()));
  JointPd controller(robot, start.state, {});
  SensorReadings readings;
  for (int tick = 0; tick < 20; ++tick) {
    simulation.read(readings);
    const Command& command = controller.step(readings);
    simulation.step(command);
    const test::AllocationCount allocations;
    const Observation& now = observer.observe(command);
    EXPECT_EQ(allocations.since_start(), 0) << "tick " << tick;
    EXPECT_GT(now.zmp_margin, 0.0) << "tick " << tick;
  }
}

}  // namespace
}  // namespace aplomb
