#include <gtest/gtest.h>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"
#include "support/block.hpp"

namespace aplomb {
namespace {

const Command kNothing(0);  // a block has no joints

/// A robot that holds its posture in a world for a while.
struct Holding {
  Holding(const World& world, const SimulationEvents& events)
      : simulation(robot, world, events), controller(robot, posture, {}) {
    simulation.start(posture);
  }
  void until(double time_s) {
    while (simulation.time_s() < time_s - 1e-9) {
      simulation.read(readings);
      simulation.step(controller.step(readings));
    }
  }
  /// Along the foot's sole [N]; a foot that leans by some milliradians has a little of the load in it.
  double tangential(int side) const { return simulation.foot_wrench()[side].force.head<2>().norm(); }

  RobotModel robot = RobotModel::load("balancer");
  RobotState posture = robot.posture("half_sitting");
  Simulation simulation;
  JointPd controller;
  SensorReadings readings;
};

SimulationEvents ice_under_left_foot() {
  SimulationEvents events;
  events.pushes.push_back({.link = "trunk", .peak_force = {30.0, 0.0, 0.0}, .start_s = 0.2, .duration_s = 1.0});
  events.friction_changes.push_back({.side = kLeft, .friction = 0.0, .start_s = 0.1});
  return events;
}

TEST(Ground, ThatBecomesIceUnderOneFootStillHoldsTheOther) {
  Holding holding(World{}, ice_under_left_foot());
  holding.until(0.3);
  EXPECT_LT(holding.tangential(kLeft), 0.5);
  EXPECT_GT(holding.tangential(kRight), 5.0);
}

TEST(Ground, OfOnePlateUnderBothFeetBecomesIceUnderOneOfThem) {
  Holding holding(World{.supports = {Support{}}}, ice_under_left_foot());
  holding.until(0.3);
  EXPECT_LT(holding.tangential(kLeft), 0.5);
  EXPECT_GT(holding.tangential(kRight), 5.0);
}

TEST(Ground, OfSpringsBecomesIceUnderOneFoot) {
  Holding holding(World{.floor = {.spring = Spring{.stiffness = 2e5, .damping = 1e3}}}, ice_under_left_foot());
  holding.until(0.3);
  EXPECT_LT(holding.tangential(kLeft), 0.5);
  EXPECT_GT(holding.tangential(kRight), 5.0);
}

TEST(Ground, OfSpringsThatGivesWayLetsTheRobotFallFreelyAndThenCarriesItAgain) {
  const RobotModel block = test::block(20.0);
  SimulationEvents events;
  events.contact_losses.push_back({.side = kLeft, .start_s = 0.1, .duration_s = 0.02});
  const World world{.floor = {.friction = 0.8, .spring = Spring{.stiffness = 2e5, .damping = 2e3}}};
  Simulation simulation(block, world, events);
  simulation.start(test::resting(block));
  while (simulation.time_s() < 0.12 - 1e-9) simulation.step(kNothing);
  EXPECT_NEAR(simulation.state().v[2], -kGravity * 0.02, 1e-6);
  EXPECT_EQ(simulation.foot_wrench()[kLeft].force.z(), 0.0);
  for (int i = 0; i < 1500; ++i) simulation.step(kNothing);
  EXPECT_NEAR(0.05 - simulation.state().q[2], 20.0 * kGravity / 2e5, 1e-8);
}

TEST(Ground, OfSpringsCarriesTheFootThatHasNoSupport) {
  const double stiffness = 2e5;
  const World world{.floor = {.spring = Spring{.stiffness = stiffness, .damping = 1e3}},
                    .supports = {Support{.carries = {false, true}}}};
  Holding holding(world, {});
  holding.until(0.5);
  RobotTerms terms(holding.robot, sole_frames(holding.robot));
  terms.update(holding.simulation.state());
  const RobotDescription& description = holding.robot.description();
  const Eigen::Vector3d sole = terms.frame(holding.robot.frame(description.roles.foot[kLeft])).T_world_frame *
                               description.soles[kLeft]->centre();
  const double load = holding.simulation.foot_wrench()[kLeft].force.z();
  EXPECT_GT(load, 0.2 * holding.robot.mass() * kGravity);
  EXPECT_NEAR(-sole.z(), load / stiffness, 0.01 * load / stiffness);
}

TEST(Push, InTheFrameOfALinkTurnsWithThatLinkAndNotWithItsBody) {
  // The link is fixed to the box, a quarter turn about z away: its x is the box's y.
  constexpr const char* kUrdf = R"(<robot name="turned"><link name="box"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="grip"/>
    <joint name="weld" type="fixed"><parent link="box"/><child link="grip"/><origin rpy="0 0 1.5707963267948966"/></joint>
    </robot>)";
  RobotDescription description;
  description.name = "turned";
  const RobotModel robot(parse_urdf(kUrdf, "turned.urdf"), description);
  Push push{.link = "grip", .frame = Push::Frame::link, .peak_force = {6.0, 0.0, 0.0}, .duration_s = 1.0};
  Simulation simulation(robot, World{}, SimulationEvents{.pushes = {push}});
  RobotState state = robot.neutral_state();
  state.q[2] = 50.0;
  simulation.start(state);
  for (int i = 0; i < 100; ++i) simulation.step(kNothing);
  EXPECT_NEAR(simulation.state().v[0], 0.0, 1e-9);
  EXPECT_NEAR(simulation.state().v[1], 6.0 / 2.0 * 0.1, 1e-9);
  EXPECT_LT((simulation.push_force() - Eigen::Vector3d(0.0, 6.0, 0.0)).norm(), 1e-9);
}

TEST(Shapes, ThatPenetrateTheFloorWhenTheRobotStandsAreIgnoredAndNoted) {
  // A box of 2 m around a block of 0.1 m: nobody stands inside of the floor.
  constexpr const char* kUrdf = R"(<robot name="coarse"><link name="box"><inertial><mass value="5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="hull"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="2 2 2"/></geometry></collision></link>
    <joint name="hinge" type="revolute"><parent link="box"/><child link="hull"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";
  RobotDescription description;
  description.name = "coarse";
  description.roles.foot[kLeft] = "box";
  description.soles[kLeft] = Sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.1, .y_max = 0.1, .z = -0.05};
  description.postures["half_sitting"] = {};
  const RobotModel robot(parse_urdf(kUrdf, "coarse.urdf"), description);
  Simulation simulation(robot, World{});
  simulation.start(robot.posture("half_sitting"));
  Command hold(1);
  for (int i = 0; i < 500; ++i) simulation.step(hold);
  EXPECT_NEAR(simulation.foot_wrench()[kLeft].force.z(), 6.0 * kGravity, 1e-3 * 6.0 * kGravity);
  EXPECT_NEAR(simulation.state().q[2], 0.05, 1e-3);
  ASSERT_EQ(simulation.notes().size(), 1u);
  EXPECT_NE(simulation.notes()[0].find("link 'hull': a collision shape is in the floor"), std::string::npos);
}

TEST(Start, InsideOfAWallIsNoted) {
  const RobotModel robot = RobotModel::load("balancer");
  const Wall wall{.position = {-0.05, 0.0, 0.0}};
  Simulation simulation(robot, World{.walls = {wall}});
  simulation.start(robot.posture("half_sitting"));
  ASSERT_EQ(simulation.notes().size(), 1u);
  EXPECT_NE(simulation.notes()[0].find("mm inside world/wall_0"), std::string::npos) << simulation.notes()[0];
}

}  // namespace
}  // namespace aplomb
