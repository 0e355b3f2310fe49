#include "aplomb/control/failsafe/failsafe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A user's own controller: a constant command, or whatever the test writes into it.
class OwnController final : public Controller {
 public:
  explicit OwnController(int num_joints) : command(num_joints) {}
  const Command& step(const SensorReadings& readings) override {
    seen = readings.state;
    return command;
  }
  Command command;
  RobotState seen;
};

/// A robot that sways about its standing posture, and an own controller under the supervisor.
struct Standing {
  Standing() {
    readings.state = start;
    for (auto& wrench : readings.foot_wrench) wrench.force.z() = 0.5 * robot.mass() * kGravity;
  }
  /// One tick later: the right sensors of a base that rocks about the left foot are not needed here, only readings
  /// whose positions and velocities agree.
  void tick() {
    time_s += 1e-3;
    const double amplitude = 0.01, rate = 6.0;
    readings.time_s = time_s;
    readings.state = start;
    readings.state.q.tail(robot.num_joints()).array() += amplitude * std::sin(rate * time_s);
    readings.state.v.tail(robot.num_joints()).setConstant(amplitude * rate * std::cos(rate * time_s));
    readings.state.q.x() += amplitude * std::sin(rate * time_s);
    readings.state.v.x() = amplitude * rate * std::cos(rate * time_s);
  }
  const Command& step() { return failsafe.step(readings); }
  void play(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      tick();
      step();
    }
  }
  void lose(Sensor sensor) { readings.is_lost[static_cast<std::size_t>(sensor)] = true; }

  RobotModel robot = test::our_robot("coman");
  RobotState start = robot.posture("half_sitting");
  OwnController controller{robot.num_joints()};
  Failsafe failsafe{robot, start, controller};
  SensorReadings readings;
  double time_s = 0.0;
};

TEST(Failsafe, HandsReadingsAndCommandThroughWhileNothingIsWrong) {
  Standing standing;
  for (int i = 0; i < 2000; ++i) {
    standing.tick();
    standing.controller.command.torque.setConstant(i);
    ASSERT_EQ(&standing.step(), &standing.controller.command);
    ASSERT_EQ(standing.controller.seen.q, standing.readings.state.q);
    ASSERT_EQ(standing.failsafe.level(), SafetyLevel::nominal) << i;
  }
  EXPECT_TRUE(standing.failsafe.fallbacks().empty());
}

TEST(Failsafe, SubstitutesAStateSensorAndReturnsToItWithoutLeavingDegraded) {
  for (const Sensor sensor :
       {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position, Sensor::base_velocity}) {
    Standing standing;
    standing.play(500);
    for (int i = 0; i < 50; ++i) {
      standing.tick();
      const RobotState truth = standing.readings.state;
      standing.lose(sensor);
      if (sensor == Sensor::joint_position) standing.readings.state.q.tail(standing.robot.num_joints()).setZero();
      if (sensor == Sensor::joint_velocity) standing.readings.state.v.tail(standing.robot.num_joints()).setZero();
      if (sensor == Sensor::base_position) standing.readings.state.q.head<3>().setZero();
      if (sensor == Sensor::base_velocity) standing.readings.state.v.head<3>().setZero();
      standing.step();
      ASSERT_EQ(standing.failsafe.level(), SafetyLevel::degraded);
      ASSERT_LT((standing.controller.seen.q - truth.q).cwiseAbs().maxCoeff(), 1e-4);
      ASSERT_LT((standing.controller.seen.v - truth.v).cwiseAbs().maxCoeff(), 0.01);
      standing.readings.is_lost.fill(false);
    }
    EXPECT_FALSE(standing.failsafe.fallbacks().empty());
    standing.play(200);
    EXPECT_TRUE(standing.failsafe.fallbacks().empty());
    EXPECT_EQ(standing.controller.seen.q, standing.readings.state.q);
    EXPECT_EQ(standing.failsafe.level(), SafetyLevel::degraded);
    standing.failsafe.reset();
    EXPECT_EQ(standing.failsafe.level(), SafetyLevel::nominal);
  }
}

TEST(Failsafe, GoesOnForGoodWithAVelocityThatItDifferentiatesAndStopsForAPositionThatDrifts) {
  const auto level_after = [](Sensor sensor) {
    Standing standing;
    standing.play(500);
    standing.lose(sensor);
    standing.play(5000);
    return standing.failsafe.level();
  };
  for (const Sensor sensor : {Sensor::joint_velocity, Sensor::base_velocity, Sensor::base_angular_velocity}) {
    EXPECT_EQ(level_after(sensor), SafetyLevel::degraded) << static_cast<int>(sensor);
  }
  for (const Sensor sensor : {Sensor::joint_position, Sensor::base_position, Sensor::base_orientation}) {
    EXPECT_EQ(level_after(sensor), SafetyLevel::stop_moving) << static_cast<int>(sensor);
  }
}

TEST(Failsafe, HoldsThePostureWhenTheStateIsUnknownOrTheCommandNotFinite) {
  Standing unknown;
  unknown.play(500);
  for (int i = 0; i < 200; ++i) {
    unknown.tick();
    unknown.readings.state.q.setConstant(kNan);
    unknown.readings.state.v.setConstant(kNan);
    ASSERT_TRUE(unknown.step().position.allFinite());
    ASSERT_EQ(unknown.failsafe.level(), i < 100 ? SafetyLevel::degraded : SafetyLevel::stop_moving) << i;
  }
  EXPECT_GT(unknown.step().stiffness.minCoeff(), 0.0);
  EXPECT_THROW(unknown.failsafe.reset(), InvalidValue);

  Standing broken;
  broken.play(500);
  broken.controller.command.torque[3] = kNan;
  broken.tick();
  const Command& command = broken.step();
  EXPECT_TRUE(command.torque.allFinite());
  EXPECT_EQ(broken.failsafe.level(), SafetyLevel::stop_moving);
  EXPECT_EQ(broken.failsafe.report().metrics.number("nonfinite_values"), 1.0);     // which fails a run
  EXPECT_EQ(unknown.failsafe.report().metrics.find("nonfinite_values"), nullptr);  // a sensor's NaN does not
}

TEST(Failsafe, StopsAControllerWhoseSolverOrDeadlineFailsForLong) {
  for (const CommandStatus status : {CommandStatus::solve_failed, CommandStatus::deadline_missed}) {
    Standing standing;
    standing.play(100);
    standing.controller.command.status = status;
    standing.play(2);
    EXPECT_EQ(standing.failsafe.level(), SafetyLevel::degraded);
    standing.play(210);
    EXPECT_EQ(standing.failsafe.level(), SafetyLevel::stop_moving);
  }
}

TEST(Failsafe, DampsARobotThatTiltsAndSwitchesOffWhenItRests) {
  Standing standing;
  standing.play(100);
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitY()));
  for (int i = 0; i < 200; ++i) {
    standing.tick();
    standing.readings.state.q.segment<4>(3) = tilted.coeffs();
    standing.step();
  }
  EXPECT_EQ(standing.failsafe.level(), SafetyLevel::damp);
  const Command& damped = standing.step();
  EXPECT_TRUE(damped.stiffness.isZero());
  EXPECT_GT(damped.damping.minCoeff(), 0.0);
  standing.readings.state.v.setZero();
  for (int i = 0; i < 2000; ++i) {
    standing.readings.time_s += 1e-3;
    standing.step();
  }
  EXPECT_EQ(standing.failsafe.level(), SafetyLevel::off);
  EXPECT_TRUE(standing.step().damping.isZero());
}

TEST(Failsafe, DoesNotAllocateOnAnyLevel) {
  Standing standing;
  standing.play(2);
  const test::AllocationCount allocations;
  standing.play(200);
  standing.lose(Sensor::base_velocity);
  for (int i = 0; i < 300; ++i) {
    standing.tick();
    standing.step();
  }
  standing.lose(Sensor::joint_position);
  standing.lose(Sensor::joint_velocity);
  standing.play(300);
  EXPECT_EQ(standing.failsafe.level(), SafetyLevel::stop_moving);
  EXPECT_EQ(allocations.since_start(), 0u);
}

Result run(const std::string& name, const std::vector<Override>& overrides) {
  return run_scenario(load_scenario(std::string(APLOMB_SOURCE_DIR) + "/scenarios/" + name + ".yaml", overrides), {})
      .result;
}

/// {robot's scenario, controller, sensor, fault}
using Fault = std::tuple<std::string, std::string, std::string, std::string>;
class LastingFault : public testing::TestWithParam<Fault> {};

TEST_P(LastingFault, LeavesAStandingRobotStanding) {
  const auto& [scenario, controller, sensor, kind] = GetParam();
  const Result result =
      run(scenario, {{"controller.kind", controller},
                     {"duration_s", "6"},
                     {"events", "[{sensor_fault: {sensor: " + sensor + ", kind: " + kind + ", start_s: 1}}]"}});
  EXPECT_EQ(result.metrics.number("fell"), 0.0);
  EXPECT_EQ(result.metrics.number("nonfinite_values"), 0.0);
  EXPECT_LE(result.metrics.number("failsafe_first_s").value_or(9.0), 1.02);
}

INSTANTIATE_TEST_SUITE_P(OfTheState, LastingFault,
                         testing::Combine(testing::Values("stand_balancer", "stand_coman"),
                                          testing::Values("momentum_balance"),
                                          testing::Values("joint_position", "joint_velocity", "base_position",
                                                          "base_orientation", "base_velocity", "base_angular_velocity"),
                                          testing::Values("lost", "nan")));

}  // namespace
}  // namespace aplomb
