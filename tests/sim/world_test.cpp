#include "aplomb/sim/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"
#include "support/block.hpp"

namespace aplomb {
namespace {

const Command kNothing(0);  // a block has no joints

TEST(SupportMotion, VelocityAndAccelerationAreItsDerivatives) {
  const FadedSine motion{.amplitude = 0.5, .period_s = 4.0, .phase = 0.3, .ramp_s = 3.0};
  for (double t = 0.05; t < 8.0; t += 0.37) {
    const double h = 1e-5;
    EXPECT_NEAR((motion.at(t + h).position - motion.at(t - h).position) / (2 * h), motion.at(t).velocity, 1e-8);
    EXPECT_NEAR((motion.at(t + h).velocity - motion.at(t - h).velocity) / (2 * h), motion.at(t).acceleration, 1e-7);
  }
  EXPECT_EQ(motion.at(0.0).position, 0.0);
  EXPECT_EQ(motion.at(0.0).velocity, 0.0);
}

TEST(Support, CarriesABlockAlongWithoutSlipAndWithTheForceOfItsAcceleration) {
  // 20 kg on a plate that moves 1 m from end to end in 4 s and back.
  const RobotModel block = test::block(20.0);
  const FadedSine motion{.amplitude = 0.5, .period_s = 4.0, .ramp_s = 4.0};
  World world{
      .supports = {Support{.carries = {true, false}, .friction = 0.8, .motion = SupportMotion{.sine = motion}}}};
  Simulation simulation(block, world);
  simulation.start(test::resting(block));
  double worst_slip = 0.0, error = 0.0, scale = 0.0;
  for (int i = 0; i < 12000; ++i) {
    simulation.step(kNothing);
    const AxisMotion now = motion.at(simulation.time_s());
    worst_slip = std::max(worst_slip, std::abs(simulation.state().q[0] - now.position));
    const double force = simulation.foot_wrench()[kLeft].force.x();
    // The force belongs to the physics step before this instant.
    const double wanted = 20.0 * motion.at(simulation.time_s() - 0.5e-3).acceleration;
    error += (force - wanted) * (force - wanted);
    scale += wanted * wanted;
  }
  EXPECT_LT(worst_slip, 2e-3);
  EXPECT_LT(std::sqrt(error / scale), 5e-3);
  EXPECT_EQ(simulation.num_warnings(), 0);
}

TEST(Support, ThatTiltsMoreThanFrictionHoldsLetsTheBlockSlideWithTheAccelerationOfAnInclinedPlane) {
  const RobotModel block = test::block(20.0);
  const double pitch = 0.4, friction = 0.2;
  World world{.supports = {Support{.carries = {true, false}, .pitch = pitch, .friction = friction}}};
  Simulation simulation(block, world);
  RobotState state = test::resting(block);
  // Flat on the slope, with its sole's centre at the origin.
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()));
  state.q.segment<4>(3) = tilt.coeffs();
  state.q.head<3>() = tilt * Eigen::Vector3d(0.0, 0.0, 0.05);
  simulation.start(state);
  const Eigen::Vector3d downhill = tilt * Eigen::Vector3d::UnitX();
  const auto speed = [&] { return downhill.dot(tilt * Eigen::Vector3d(simulation.state().v.head<3>())); };
  for (int i = 0; i < 100; ++i) simulation.step(kNothing);
  const double before = speed();
  for (int i = 0; i < 200; ++i) simulation.step(kNothing);
  const double expected = kGravity * (std::sin(pitch) - friction * std::cos(pitch));
  EXPECT_NEAR((speed() - before) / 0.2, expected, 0.02 * expected);
}

TEST(Simulation, OfAThrownBlockKeepsItsEnergyAndItsMomentum) {
  const RobotModel block = test::block(5.0);
  Simulation simulation(block, World{});
  RobotState state = test::resting(block);
  state.q[2] = 50.0;
  state.v << 3.0, -1.0, 4.0, 2.0, 5.0, -1.0;
  simulation.start(state);
  RobotTerms terms(block, {});
  const auto energy = [&] {
    terms.update(simulation.state());
    return 0.5 * simulation.state().v.dot(terms.mass_matrix() * simulation.state().v) +
           block.mass() * kGravity * terms.com().z();
  };
  const double energy_at_start = energy();
  const Vector6d momentum_at_start = terms.momentum();
  for (int i = 0; i < 1000; ++i) simulation.step(kNothing);
  // The integrator is of first order: over a second it errs by some dt relative.
  EXPECT_NEAR(energy(), energy_at_start, 2e-3 * energy_at_start);
  Vector6d expected = momentum_at_start;
  expected[2] -= block.mass() * kGravity * 1.0;
  EXPECT_LT((terms.momentum() - expected).norm(), 2e-3 * expected.norm());
}

/// A block on a floor of springs, pushed down; where it comes to rest.
double depth_after_push(int substeps) {
  const RobotModel block = test::block(20.0);
  World world{.floor = {.friction = 0.8, .spring = Spring{.stiffness = 2e5, .damping = 1e3}}};
  const Push push{.link = "box", .peak_force = {0.0, 0.0, -100.0}, .start_s = 0.1, .duration_s = 10.0};
  Simulation simulation(block, world, SimulationEvents{.pushes = {push}}, substeps);
  simulation.start(test::resting(block));
  for (int i = 0; i < 1000; ++i) simulation.step(kNothing);
  return 0.05 - simulation.state().q[2];
}

TEST(Springs, CarryALoadAtTheDepthThatHookeSays) {
  EXPECT_NEAR(depth_after_push(2), (20.0 * kGravity + 100.0) / 2e5, 1e-8);
}

TEST(Springs, AreStableAtTheirStepAndHalfOfItChangesNothing) {
  const RobotModel block = test::block(20.0);
  World world{.floor = {.friction = 0.8, .spring = Spring{.stiffness = 2e5, .damping = 1e3}}};
  Simulation simulation(block, world);
  simulation.start(test::resting(block));
  EXPECT_NEAR(depth_after_push(simulation.num_substeps()), depth_after_push(2 * simulation.num_substeps()), 1e-7);
}

TEST(Springs, OfAWallHoldTwentyNewtonsAtATenthOfAMillimetre) {
  const RobotModel block = test::block(20.0);
  const Wall wall{.position = {0.121, 0.0, 0.0},
                  .normal = -Eigen::Vector3d::UnitX(),
                  .surface = {.friction = 0.5, .spring = Spring{.stiffness = 2e5, .damping = 1e3}}};
  // The floor is ice, so that the wall alone holds the push; the hand is 1 mm in front of it.
  const Push push{.link = "box",
                  .at = Push::At::point,
                  .point_in_link = Eigen::Vector3d::Zero(),
                  .peak_force = {20.0, 0.0, 0.0},
                  .duration_s = 10.0};
  Simulation simulation(block, World{.floor = {.friction = 0.0}, .walls = {wall}}, SimulationEvents{.pushes = {push}});
  simulation.start(test::resting(block));
  for (int i = 0; i < 2000; ++i) simulation.step(kNothing);
  EXPECT_NEAR(simulation.state().q[0] - 0.001, 1e-4, 1e-6);
  EXPECT_NEAR(simulation.hand_wrench()[kRight].force.x(), -20.0, 0.02);
}

TEST(FrictionChange, LetsAPushedBlockSlide) {
  const RobotModel block = test::block(20.0);
  const Push push{.link = "box",
                  .at = Push::At::point,
                  .point_in_link = Eigen::Vector3d(0, 0, -0.05),
                  .peak_force = {50.0, 0.0, 0.0},
                  .duration_s = 10.0};
  SimulationEvents events{.pushes = {push}};
  events.friction_changes.push_back({.friction = 0.1, .start_s = 0.5});
  Simulation simulation(block, World{}, events);
  simulation.start(test::resting(block));
  for (int i = 0; i < 500; ++i) simulation.step(kNothing);
  EXPECT_LT(std::abs(simulation.state().q[0]), 1e-3);
  for (int i = 0; i < 500; ++i) simulation.step(kNothing);
  const double acceleration = 50.0 / 20.0 - 0.1 * kGravity;
  EXPECT_NEAR(simulation.state().q[0], 0.5 * acceleration * 0.25, 0.02);
}

TEST(ContactLoss, LetsTheRobotFallFreelyWhileItLasts) {
  const RobotModel block = test::block(20.0);
  SimulationEvents events;
  events.contact_losses.push_back({.side = kLeft, .start_s = 0.1, .duration_s = 0.02});
  Simulation simulation(block, World{}, events);
  simulation.start(test::resting(block));
  while (simulation.time_s() < 0.12 - 1e-9) simulation.step(kNothing);
  EXPECT_NEAR(simulation.state().v[2], -kGravity * 0.02, 1e-6);
  EXPECT_EQ(simulation.foot_wrench()[kLeft].force.z(), 0.0);
}

TEST(Payload, AddsItsWeightAndMovesTheCentreOfPressureUnderTheNewCentreOfMass) {
  const RobotModel block = test::block(20.0);
  SimulationEvents events;
  events.payloads.push_back({.link = "box", .mass = 5.0, .point_in_link = {0.05, -0.02, 0.1}, .start_s = 0.1});
  Simulation simulation(block, World{}, events);
  simulation.start(test::resting(block));
  for (int i = 0; i < 1000; ++i) simulation.step(kNothing);
  const Wrench& wrench = simulation.foot_wrench()[kLeft];
  EXPECT_NEAR(wrench.force.z(), 25.0 * kGravity, 1e-3 * 25.0 * kGravity);
  const Eigen::Vector2d cop = centre_of_pressure(wrench, -0.05);
  EXPECT_NEAR(cop.x(), 5.0 / 25.0 * 0.05, 1e-4);
  EXPECT_NEAR(cop.y(), 5.0 / 25.0 * -0.02, 1e-4);
}

TEST(LoadCells, AgreeWithTheWrenchToTheLastDigitsWhereNothingTiltsTheSole) {
  const RobotModel block = test::block(20.0);
  Simulation simulation(block, World{});
  simulation.start(test::resting(block));
  SensorReadings readings;
  simulation.read(readings);
  const Sole& sole = *block.description().soles[kLeft];
  double load = 0.0;
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < 4; ++i) {
    load += readings.load_cells[kLeft][i];
    moment += readings.load_cells[kLeft][i] * sole.corners()[i].head<2>();
  }
  EXPECT_NEAR(load, readings.foot_wrench[kLeft].force.z(), 1e-9);
  EXPECT_LT((moment / load - centre_of_pressure(readings.foot_wrench[kLeft], sole.z)).norm(), 1e-9);
}

TEST(CentreOfPressure, OfTheWholeRobotIsTheSameFromWrenchesAndFromLoadCells) {
  const RobotModel robot = RobotModel::load("hoap3");
  Simulation simulation(robot, World{});
  simulation.start(robot.posture("half_sitting"));
  SensorReadings readings;
  simulation.read(readings);
  // Shear acts at the depth of the contact, some micrometres below the sole: it is no part of what cells measure.
  for (Wrench& wrench : readings.foot_wrench) {
    wrench.moment -= Eigen::Vector3d(0.0, 0.0, robot.description().soles[kLeft]->z)
                         .cross(Eigen::Vector3d(wrench.force.x(), wrench.force.y(), 0.0));
    wrench.force.head<2>().setZero();
  }
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(simulation.state());
  Eigen::Vector2d weighted = Eigen::Vector2d::Zero();
  double load = 0.0;
  for (int side : {kLeft, kRight}) {
    const FrameTerms& foot = terms.frame(robot.frame(robot.description().roles.foot[side]));
    for (std::size_t i = 0; i < 4; ++i) {
      const Eigen::Vector2d& cell = robot.description().load_cells[side][i];
      const Eigen::Vector3d at =
          foot.T_world_frame * Eigen::Vector3d(cell.x(), cell.y(), robot.description().soles[side]->z);
      weighted += readings.load_cells[side][i] * at.head<2>();
      load += readings.load_cells[side][i];
    }
  }
  const Wrench whole = wrench_on_feet(robot, terms, readings.foot_wrench);
  EXPECT_NEAR(whole.force.z(), load, 1e-6 * load);
  EXPECT_LT((centre_of_pressure(whole, 0.0) - weighted / load).norm(), 1e-6);
}

TEST(Chair, CarriesWhatTheFeetDoNotAndTheWholeIsTheWeight) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const RobotState seated = robot.posture("seated");
  RobotTerms terms(robot, std::vector{robot.frame("left_thigh")});
  terms.update(seated);
  const double hip_x = terms.frame(robot.frame("left_thigh")).T_world_frame.translation().x();
  Simulation simulation(robot, World{.chair = Chair{.height = 0.45, .hip_x = hip_x}});
  simulation.start(seated);
  Command hold(robot.num_joints());
  hold.position = seated.q.tail(robot.num_joints());
  hold.stiffness.setConstant(2000.0);
  hold.damping.setConstant(160.0);
  for (int i = 0; i < 3000; ++i) simulation.step(hold);
  const double feet = simulation.foot_wrench()[kLeft].force.z() + simulation.foot_wrench()[kRight].force.z();
  const double seat = simulation.seat_wrench().force.z();
  const double weight = robot.mass() * kGravity;
  EXPECT_NEAR(feet + seat, weight, 1e-3 * weight);
  EXPECT_GT(seat, 0.5 * weight);  // hips carry more than feet
  EXPECT_GT(feet, 0.1 * weight);
  RecordProperty("seat_n", static_cast<int>(seat));
  RecordProperty("feet_n", static_cast<int>(feet));
}

TEST(LoadCells, InTheOrderOfTheirChannelsAgreeWithTheWrenchAboutLoadAndCentreOfPressure) {
  const RobotModel robot = RobotModel::load("hoap3");
  const RobotState posture = robot.posture("half_sitting");
  // Pushed forward and to the left, so that no two cells carry the same.
  const Push push{.link = "BODY_J1_link", .peak_force = {4.0, 3.0, 0.0}, .duration_s = 1.0};
  Simulation simulation(robot, World{}, SimulationEvents{.pushes = {push}});
  simulation.start(posture);
  Command hold(robot.num_joints());
  hold.position = posture.q.tail(robot.num_joints());
  for (int i = 0; i < 50; ++i) simulation.step(hold);
  SensorReadings readings;
  simulation.read(readings);
  for (int side : {kLeft, kRight}) {
    const Sole& sole = *robot.description().soles[side];
    double load = 0.0;
    Eigen::Vector2d moment = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      load += readings.load_cells[side][i];
      moment += readings.load_cells[side][i] * robot.description().load_cells[side][i];
    }
    const auto& cells = readings.load_cells[side];
    EXPECT_GT(*std::ranges::max_element(cells) - *std::ranges::min_element(cells), 0.1 * load);
    EXPECT_NEAR(load, readings.foot_wrench[side].force.z(), 1e-9 * load);
    // The spheres' contact points lie half their (micrometre) depth above the sole, which shear forces feel.
    EXPECT_LT((moment / load - centre_of_pressure(readings.foot_wrench[side], sole.z)).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace aplomb
