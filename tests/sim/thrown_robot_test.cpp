#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// A robot in the air with its drives off, in the middle of its joints' ranges so that no stop is met.
struct Thrown {
  explicit Thrown(const std::string& name)
      : robot(RobotModel::load(name)), terms(robot, {}), drives(robot.num_joints()) {
    state = robot.posture("half_sitting");
    state.q[2] += 20.0;
  }
  void play(Simulation& simulation, int ticks) {
    simulation.start(state);
    for (int i = 0; i < ticks; ++i) simulation.step(drives);
    after = simulation.state();
  }
  Vector6d momentum(const RobotState& of) {
    terms.update(of);
    return terms.momentum();
  }
  Eigen::Vector3d com(const RobotState& of) {
    terms.update(of);
    return terms.com();
  }
  double energy(const RobotState& of) {
    terms.update(of);
    const double rotors = robot.description().actuation.armature * of.v.tail(robot.num_joints()).squaredNorm();
    return 0.5 * (of.v.dot(terms.mass_matrix() * of.v) + rotors) + robot.mass() * kGravity * terms.com().z();
  }

  RobotModel robot;
  RobotTerms terms;
  Command drives;  // all zero: no torque, no spring
  RobotState state, after;
};

class EveryThrownRobot : public testing::TestWithParam<std::string> {};

TEST_P(EveryThrownRobot, FallsFreely) {
  Thrown thrown(GetParam());
  // Servos have springs of their own; a robot at rest in its posture does not feel them, nor gravity.
  thrown.drives.position = thrown.state.q.tail(thrown.robot.num_joints());
  Simulation simulation(thrown.robot, World{});
  thrown.play(simulation, 500);
  const double time_s = 0.5;
  EXPECT_NEAR(thrown.after.v.tail(thrown.robot.num_joints()).norm(), 0.0, 1e-6);
  // The engine moves with the velocity at the end of each step of 0.5 ms: z is low by g t dt / 2.
  const double expected = thrown.com(thrown.state).z() - 0.5 * kGravity * time_s * (time_s + 0.5e-3);
  EXPECT_NEAR(thrown.com(thrown.after).z(), expected, 1e-6);
}

TEST_P(EveryThrownRobot, KeepsItsMomentumAndItsEnergyWhileItTumbles) {
  Thrown thrown(GetParam());
  if (thrown.robot.description().actuation.kind == Actuation::Kind::servo) {
    GTEST_SKIP() << "a servo's own spring does work";
  }
  thrown.state.v.head<6>() << 1.0, -0.5, 3.0, 0.4, -0.8, 0.6;
  const Vector6d before = thrown.momentum(thrown.state);
  const double energy = thrown.energy(thrown.state);
  const double kinetic = energy - thrown.robot.mass() * kGravity * thrown.com(thrown.state).z();
  Simulation simulation(thrown.robot, World{});
  thrown.play(simulation, 100);
  Vector6d expected = before;
  expected[2] -= thrown.robot.mass() * kGravity * 0.1;
  // The integrator is of first order: over 0.1 s it errs by some parts in a thousand.
  EXPECT_LT((thrown.momentum(thrown.after) - expected).norm(), 2e-3 * before.norm());
  EXPECT_NEAR(thrown.energy(thrown.after), energy, 5e-3 * kinetic);
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryThrownRobot, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

TEST(SlidingRobot, ObeysTheLawsOfFrictionMomentumAndEnergy) {
  // Leaning with the slope it is in balance: seen from the robot, slope and speeding up leave gravity along its own z.
  const double pitch = 0.3, friction = 0.05;
  const RobotModel robot = RobotModel::load("balancer");
  RobotState state = robot.posture("half_sitting");
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()));
  state.q.head<3>() = tilt * Eigen::Vector3d(state.q.head<3>());
  state.q.segment<4>(3) = (tilt * Eigen::Quaterniond(state.q.segment<4>(3))).coeffs();
  Simulation simulation(robot, World{.supports = {Support{.pitch = pitch, .friction = friction}}});
  simulation.start(state);
  Command hold(robot.num_joints());
  hold.position = state.q.tail(robot.num_joints());
  hold.stiffness.setConstant(2000.0);
  hold.damping.setConstant(50.0);
  RobotTerms terms(robot, sole_frames(robot));
  const Eigen::Vector3d downhill = tilt * Eigen::Vector3d::UnitX(), normal = tilt * Eigen::Vector3d::UnitZ();
  double along = 0.0, load = 0.0;    // sums of the ground's force over the ticks
  double impulse = 0.0, work = 0.0;  // of the ground along the slope; of ground and drives
  for (int i = 0; i < 300; ++i) {
    simulation.step(hold);
    terms.update(simulation.state());
    Eigen::Vector3d ground = Eigen::Vector3d::Zero();
    for (int side : {kLeft, kRight}) {
      const FrameTerms& foot = terms.frame(robot.frame(robot.description().roles.foot[side]));
      const Eigen::Vector3d force = foot.T_world_frame.linear() * simulation.foot_wrench()[side].force;
      ground += force;
      work += 1e-3 * force.dot(foot.velocity.head<3>());
    }
    work += 1e-3 * simulation.joint_torque().dot(simulation.state().v.tail(robot.num_joints()));
    along += i < 50 ? 0.0 : downhill.dot(ground);  // at first the feet hardly slide
    load += i < 50 ? 0.0 : normal.dot(ground);
    impulse += 1e-3 * downhill.dot(ground - robot.mass() * kGravity * Eigen::Vector3d::UnitZ());
  }
  EXPECT_NEAR(-along, friction * load, 0.01 * friction * load);
  EXPECT_NEAR(robot.mass() * downhill.dot(terms.com_velocity()), impulse, 0.01 * impulse);
  const double kinetic = 0.5 * simulation.state().v.dot(terms.mass_matrix() * simulation.state().v);
  RobotTerms before(robot, {});
  before.update(state);
  const double fallen = robot.mass() * kGravity * (before.com().z() - terms.com().z());
  EXPECT_NEAR(kinetic, fallen + work, 0.02 * fallen);
  // As a block would, since it does not tumble.
  const double speed = 0.3 * kGravity * (std::sin(pitch) - friction * std::cos(pitch));
  EXPECT_NEAR(downhill.dot(terms.com_velocity()), speed, 0.03 * speed);
}

}  // namespace
}  // namespace aplomb
