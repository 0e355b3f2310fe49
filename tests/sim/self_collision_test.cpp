#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// A base with a ball 0.3 m to its left, and an arm with a ball at its end, 0.3 m in front, that turns about z. Both
/// balls have a radius of 5 cm.
RobotModel arm_and_ball() {
  const auto link = [](const std::string& name, const std::string& ball) {
    return "<link name='" + name +
           "'><inertial><mass value='2'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial>" +
           (ball.empty()
                ? ball
                : "<collision><origin xyz='" + ball + "'/><geometry><sphere radius='0.05'/></geometry></collision>") +
           "</link>";
  };
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child) {
    return "<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" + child +
           "'/><axis xyz='0 0 1'/><limit lower='-0.2' upper='3' effort='10' velocity='10'/></joint>";
  };
  RobotDescription description;
  description.name = "arm";
  return RobotModel(
      parse_urdf("<robot name='arm'>" + link("base", "0 0.3 0") + link("shoulder", "") + link("arm", "0.3 0 0") +
                     joint("first", "base", "shoulder") + joint("second", "shoulder", "arm") + "</robot>",
                 "arm.urdf"),
      description);
}

/// Where the arm comes to rest in the air when its second joint is turned with `torque` [N m].
double resting_angle(double torque) {
  const RobotModel robot = arm_and_ball();
  Simulation simulation(robot, World{});
  RobotState state = robot.neutral_state();
  state.q[2] = 100.0;
  simulation.start(state);
  Command command(2);
  command.stiffness << 500.0, 0.0;  // the first joint is held
  command.damping << 50.0, 2.0;
  command.torque << 0.0, torque;
  for (int i = 0; i < 3000; ++i) simulation.step(command);
  EXPECT_EQ(simulation.num_warnings(), 0);
  return simulation.state().q[8];
}

TEST(SelfCollision, StopsALinkWhereItsShapeMeetsAnotherOne) {
  // The balls' centres are 0.1 m apart: 2 · 0.3 sin((π/2 − q)/2) = 0.1.
  const double touching = std::numbers::pi / 2.0 - 2.0 * std::asin(0.1 / 0.6);
  EXPECT_NEAR(resting_angle(1.0), touching, 0.01);
}

TEST(JointStops, HoldAJointThatIsDrivenAgainstThem) { EXPECT_NEAR(resting_angle(-1.0), -0.2, 0.01); }

class EveryRobotsStops : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobotsStops, HoldAllJointsThatAreDrivenAgainstThem) {
  const RobotModel robot = RobotModel::load(GetParam());
  if (robot.description().actuation.kind == Actuation::Kind::servo) GTEST_SKIP() << "a servo takes no torques";
  for (double direction : {-1.0, 1.0}) {
    Simulation simulation(robot, World{});
    RobotState state = robot.posture("half_sitting");
    state.q[2] += 100.0;
    simulation.start(state);
    Command command(robot.num_joints());
    for (int i = 0; i < robot.num_joints(); ++i) {
      command.torque[i] = direction * 0.1 * robot.joints()[static_cast<std::size_t>(i)].effort;
      command.damping[i] = 0.05 * robot.joints()[static_cast<std::size_t>(i)].effort;
    }
    for (int i = 0; i < 1500; ++i) simulation.step(command);
    for (int i = 0; i < robot.num_joints(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      EXPECT_GT(simulation.state().q[7 + i], joint.lower - 0.02) << joint.name;
      EXPECT_LT(simulation.state().q[7 + i], joint.upper + 0.02) << joint.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryRobotsStops, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
