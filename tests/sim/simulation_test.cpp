#include "aplomb/sim/simulation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// A robot that holds its posture; `tick` makes one control tick.
struct Standing {
  explicit Standing(const std::string& name, const SimulationEvents& events = {})
      : robot(RobotModel::load(name)),
        posture(robot.posture("half_sitting")),
        simulation(robot, World{}, events),
        controller(robot, posture, {}) {
    simulation.start(posture);
  }
  void tick() {
    simulation.read(readings);
    simulation.step(controller.step(readings));
  }
  RobotModel robot;
  RobotState posture;
  Simulation simulation;
  JointPd controller;
  SensorReadings readings;
};

class EveryRobot : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobot, StandsFromTheFirstTickWithItsWeightOnItsFeetAndNoTransient) {
  Standing standing(GetParam());
  const double weight = standing.robot.mass() * kGravity;
  for (int i = 0; i < 1000; ++i) {
    standing.tick();
    const double load =
        standing.simulation.foot_wrench()[kLeft].force.z() + standing.simulation.foot_wrench()[kRight].force.z();
    ASSERT_NEAR(load, weight, 1e-3 * weight) << "at tick " << i;
  }
  EXPECT_LT(standing.simulation.state().v.norm(), 1e-3);
  EXPECT_EQ(standing.simulation.num_warnings(), 0);
}

TEST_P(EveryRobot, GainsTheImpulseOfAPushAsMomentum) {
  // In the air the momentum gained is impulse + m g t. (The drives hold the posture: the integrator is of first order,
  // and limbs that flail would cost some of the momentum.)
  const RobotModel robot = RobotModel::load(GetParam());
  const std::string root = robot.tree().bodies.front().link;
  for (const auto shape : {Push::Shape::box, Push::Shape::half_sine}) {
    const Eigen::Vector3d peak(0.3 * robot.mass() * kGravity, -0.1 * robot.mass() * kGravity, 0.0);
    Push push{.link = root, .shape = shape, .peak_force = peak, .start_s = 0.01, .duration_s = 0.05};
    Simulation simulation(robot, World{}, SimulationEvents{.pushes = {push}});
    RobotState state = robot.posture("half_sitting");
    state.q[2] += 5.0;
    simulation.start(state);
    RobotTerms terms(robot, {});
    Command hold(robot.num_joints());
    hold.position = state.q.tail(robot.num_joints());
    hold.stiffness.setConstant(500.0);
    hold.damping.setConstant(50.0);
    for (int i = 0; i < 100; ++i) simulation.step(hold);
    terms.update(simulation.state());
    const double share = shape == Push::Shape::box ? 1.0 : 2.0 / std::numbers::pi;
    Eigen::Vector3d expected = share * 0.05 * peak;
    expected.z() -= robot.mass() * kGravity * 0.1;
    // The half-sine is sampled a hundred times: the sum errs by 1e-4 of itself.
    EXPECT_LT((terms.momentum().head<3>() - expected).norm(), 2e-4 * expected.norm()) << robot.name();
  }
}

INSTANTIATE_TEST_SUITE_P(Simulation, EveryRobot, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

TEST(Simulation, KeepsTorquesInsideTheirLimitsWhateverIsAsked) {
  const RobotModel robot = RobotModel::load("balancer");
  Simulation simulation(robot, World{});
  simulation.start(robot.posture("half_sitting"));
  Command command(robot.num_joints());
  for (int i = 0; i < 200; ++i) {
    command.torque.setConstant(i % 2 == 0 ? 1e6 : -1e6);
    simulation.step(command);
    for (int j = 0; j < robot.num_joints(); ++j) {
      ASSERT_LE(std::abs(simulation.joint_torque()[j]), robot.joints()[static_cast<std::size_t>(j)].effort);
    }
  }
}

TEST(Simulation, OfAServoRobotIgnoresTorquesAndGainsInTheCommand) {
  Standing a("hoap3");
  Standing b("hoap3");
  for (int i = 0; i < 100; ++i) {
    a.tick();
    b.simulation.read(b.readings);
    Command command = b.controller.step(b.readings);
    command.torque.setConstant(100.0);
    command.stiffness.setConstant(1.0);
    b.simulation.step(command);
  }
  EXPECT_EQ(a.simulation.state().q, b.simulation.state().q);
}

TEST(Simulation, GivesTheSameBytesTwice) {
  const Push push{.link = "torso", .peak_force = {100.0, 20.0, 0.0}, .start_s = 0.05, .duration_s = 0.1};
  const SimulationEvents events{.pushes = {push}};
  Standing a("sarcos", events);
  Standing b("sarcos", events);
  for (int i = 0; i < 500; ++i) {
    a.tick();
    b.tick();
  }
  EXPECT_EQ(a.simulation.state().q, b.simulation.state().q);
  EXPECT_EQ(a.simulation.state().v, b.simulation.state().v);
}

}  // namespace
}  // namespace aplomb
