#include "aplomb/sim/body_sensors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr double kDt = Simulation::kControlPeriod;

TEST(BodySensors, ReadGravityAndTheFeetsWeightAtRest) {
  const RobotModel robot = RobotModel::load("balancer");
  const RobotState state = robot.posture("half_sitting");
  BodySensors sensors(robot);
  SensorReadings readings;
  readings.foot_wrench[kLeft].force = {0.0, 0.0, 300.0};
  for (int i = 0; i < 3; ++i) sensors.measure(state, readings);
  EXPECT_NEAR(readings.imu_acceleration.norm(), kGravity, 1e-9);
  EXPECT_LT(readings.imu_angular_velocity.norm(), 1e-9);
  const LinkPlacement& foot =
      robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[kLeft]))];
  const double weight = robot.tree().bodies[static_cast<std::size_t>(foot.body)].inertia.mass * kGravity;
  EXPECT_NEAR(readings.ankle_wrench[kLeft].force.z(), 300.0 - weight, 1e-9);
  EXPECT_NEAR(readings.ankle_wrench[kRight].force.z(), -weight, 1e-9);
}

/// A robot whose drives are off, thrown: no contact, everything moves.
TEST(BodySensors, IntegrateToTheTrueMotionOfAThrownRobot) {
  const RobotModel robot = RobotModel::load("coman");
  Simulation simulation(robot, World{});
  RobotState state = robot.posture("half_sitting");
  state.q[2] += 3.0;
  simulation.start(state);
  BodySensors sensors(robot);
  SensorReadings readings;
  const std::array<FrameId, 2> frames = {robot.frame(robot.description().roles.pelvis),
                                         robot.frame(robot.description().roles.foot[kLeft])};
  RobotTerms terms(robot, frames);
  const auto observe = [&] {
    simulation.read(readings);
    sensors.measure(simulation.state(), readings);
    terms.update(simulation.state());
  };
  Command command(robot.num_joints());
  observe();
  std::array<Eigen::Matrix3d, 2> R;
  std::array<Eigen::Vector3d, 2> velocity;
  for (std::size_t i : {0u, 1u}) {
    R[i] = terms.frame(frames[i]).T_world_frame.linear();
    velocity[i] = terms.frame(frames[i]).velocity.head<3>();
  }
  for (int tick = 0; tick < 100; ++tick) {
    command.torque.setConstant(0.5 * std::sin(0.1 * tick));
    simulation.step(command);
    observe();
    const std::array turn = {readings.imu_angular_velocity, readings.foot_angular_velocity[kLeft]};
    const std::array force = {readings.imu_acceleration, readings.foot_acceleration[kLeft]};
    for (std::size_t i : {0u, 1u}) {
      const Eigen::Matrix3d halfway = R[i] * rotation_by(0.5 * kDt * turn[i]);
      velocity[i] += kDt * (halfway * force[i] - Eigen::Vector3d(0.0, 0.0, kGravity));
      R[i] = R[i] * rotation_by(kDt * turn[i]);
      const FrameTerms& truth = terms.frame(frames[i]);
      ASSERT_LT((R[i] - truth.T_world_frame.linear()).norm(), 1e-9) << "tick " << tick << ", site " << i;
      ASSERT_LT((velocity[i] - truth.velocity.head<3>()).norm(), 1e-9) << "tick " << tick << ", site " << i;
    }
  }
  EXPECT_GT(velocity[0].norm(), 0.5);  // it did move
}

TEST(BodySensors, AnkleSensorsOfAFallingRobotCarryNothing) {
  const RobotModel robot = RobotModel::load("coman");
  Simulation simulation(robot, World{});
  RobotState state = robot.posture("half_sitting");
  state.q[2] += 3.0;
  simulation.start(state);
  BodySensors sensors(robot);
  SensorReadings readings;
  const Command command(robot.num_joints());
  for (int tick = 0; tick < 20; ++tick) {
    simulation.read(readings);
    sensors.measure(simulation.state(), readings);
    simulation.step(command);
  }
  for (int side : {kLeft, kRight}) EXPECT_LT(readings.ankle_wrench[side].force.norm(), 1e-3);
}

}  // namespace
}  // namespace aplomb
