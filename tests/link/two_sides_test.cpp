#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "aplomb/core/error.hpp"
#include "aplomb/link/control_loop.hpp"
#include "aplomb/link/remote_controller.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/run/make_failsafe.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/run_with_controller.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// Commands a torque that grows with time, and stops answering after some ticks by ending its thread's loop.
class Growing final : public Controller {
 public:
  explicit Growing(int num_joints) : command_(num_joints) {}
  const Command& step(const SensorReadings& readings) override {
    command_.torque.setConstant(0.1 * readings.time_s);
    command_.position = joint_positions(readings.state.q);
    return command_;
  }
  ControllerReport report() const override {
    ControllerReport report;
    report.metrics.set("deadline_misses", std::int64_t{7});
    return report;
  }

 private:
  Command command_;
};

/// Robot and controller on both ends of a link in lock step, the controller in a thread of its own.
struct TwoSides {
  TwoSides() : remote(robot, LinkAddress{}, {.scenario = "test", .is_lockstep = true, .wait_s = 20.0}) {
    readings.state = robot.posture("half_sitting");
    control = std::async(std::launch::async, [this] {
      ControlLoop loop(robot, controller, {.controller = "growing", .is_realtime_asked = false});
      loop.connect(remote.address());
      return loop.run();
    });
    name = remote.wait_for_controller();
  }
  ~TwoSides() { remote.report(); }  // ends the session, so that the controller's thread can
  const Command& tick() {
    readings.time_s += 1e-3;
    return remote.step(readings);
  }

  RobotModel robot = test::our_robot("balancer");
  Growing controller{robot.num_joints()};
  RemoteController remote;
  SensorReadings readings;
  std::future<ControlLoop::End> control;
  std::string name;
};

TEST(TwoSides, EachReadingIsAnsweredByItsOwnCommand) {
  TwoSides sides;
  EXPECT_EQ(sides.name, "growing");
  for (int i = 0; i < 200; ++i) {
    const Command& command = sides.tick();
    EXPECT_EQ(command.torque[0], 0.1 * sides.readings.time_s);
  }
  const ControllerReport report = sides.remote.report();
  EXPECT_EQ(sides.control.get(), ControlLoop::End::finished);
  EXPECT_EQ(report.metrics.number("deadline_misses"), 7.0);  // the other side's own report
  EXPECT_EQ(report.metrics.number("link_damped"), 0.0);
  EXPECT_EQ(report.metrics.number("link_late_commands"), 0.0);
  EXPECT_EQ(report.metrics.number("link_refused_commands"), 0.0);
}

TEST(TwoSides, TheRobotsLoopNeverAllocates) {
  SKIP_UNLESS_COUNTED();
  TwoSides sides;
  sides.tick();
  const test::AllocationCount allocations;  // of this thread
  for (int i = 0; i < 100; ++i) sides.tick();
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(TwoSides, AControllerOfAnotherRobotIsRefused) {
  const RobotModel robot = test::our_robot("balancer"), other = test::our_robot("coman");
  RemoteController remote(robot, LinkAddress{}, {.is_lockstep = true, .wait_s = 1.0});
  auto control = std::async(std::launch::async, [&] {
    Growing controller(other.num_joints());
    ControlLoop loop(other, controller, {.controller = "growing", .is_realtime_asked = false});
    loop.connect(remote.address());
  });
  EXPECT_THROW(remote.wait_for_controller(), InvalidValue);
  try {
    control.get();
    FAIL() << "connected";
  } catch (const InvalidValue& error) {
    EXPECT_NE(std::string(error.what()).find("is balancer"), std::string::npos) << error.what();
  }
}

TEST(TwoSides, AControllerThatLeavesIsReplacedByDampersWithinTwentyMilliseconds) {
  const RobotModel robot = test::our_robot("balancer");
  RemoteController remote(robot, LinkAddress{}, {.is_lockstep = true, .wait_s = 20.0});
  SensorReadings readings;
  readings.state = robot.posture("half_sitting");
  auto control = std::async(std::launch::async, [&] {
    // A process that dies: its socket closes without a word.
    Growing controller(robot.num_joints());
    ControlLoop loop(robot, controller, {.controller = "growing", .is_realtime_asked = false});
    loop.connect(remote.address());
  });
  remote.wait_for_controller();
  control.get();
  for (int tick = 1; tick <= 20; ++tick) {
    readings.time_s += 1e-3;
    remote.step(readings);
  }
  EXPECT_TRUE(remote.gate().is_damping());
  EXPECT_EQ(remote.report().metrics.number("link_damped"), 1.0);
}

TEST(TwoSides, ARunThroughThemIsTheRunOfOneProcessToTheLastBit) {
  const Scenario scenario = load_scenario("balance_push_forward", std::vector<Override>{{"duration_s", "1.3"}});
  const RunResult alone = run_scenario(scenario);

  RisePlanner planner;
  RunSetup setup = make_setup(scenario, planner);
  const std::unique_ptr<Controller> controller = make_controller(scenario, setup);
  const std::unique_ptr<Failsafe> failsafe = make_failsafe(setup, *controller);
  setup.has_failsafe = false;  // it is on the controller's side
  RemoteController remote(*setup.robot, LinkAddress{}, {.is_lockstep = true, .wait_s = 20.0});
  auto control = std::async(std::launch::async, [&] {
    ControlLoop loop(*setup.believed, *failsafe, {.controller = "own", .is_realtime_asked = false});
    loop.connect(remote.address());
    return loop.run();
  });
  remote.wait_for_controller();
  const RunResult linked = run_with_controller(scenario, setup, remote);
  EXPECT_EQ(control.get(), ControlLoop::End::finished);
  EXPECT_EQ(linked.result.verdict(), alone.result.verdict());
  for (const auto& [name, value] : alone.result.metrics.entries()) {
    if (std::holds_alternative<std::vector<double>>(value)) continue;
    ASSERT_NE(linked.result.metrics.find(name), nullptr) << name;
    EXPECT_EQ(*linked.result.metrics.find(name), value) << name;
  }
  EXPECT_EQ(linked.result.metrics.number("link_limited_commands"), 0.0);
}

}  // namespace
}  // namespace aplomb
