// The planner sits a robot down, the simulation has it sit: both must mean the same chair.
#include <gtest/gtest.h>

#include <string>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// With capsules to sit on (sarcos), with boxes and cylinders (coman, hoap3, balancer), with meshes only (the others).
class SeatedStart : public testing::TestWithParam<const char*> {
 protected:
  void expect_carried(const SeatedRobot& seated) {
    TreeKinematics tree(robot);
    tree.update(seated.state.q);
    const Eigen::Vector3d hips = tree.point(limbs.pelvis, limbs.hips);
    const double touches_at = hips.z() - seat_clearance(seat_shapes(robot), limbs, tree);
    EXPECT_NEAR(touches_at, seated.chair_height, 1e-5);

    const World world{.chair = Chair{.height = seated.chair_height, .hip_x = hips.x()}};
    Simulation simulation(robot, world);
    simulation.start(seated.state);
    EXPECT_NEAR(height_of_hips(simulation.state()), hips.z(), 1e-3);
    // Springs alone: the legs sag, and the hips come to rest on the seat.
    Command command = JointPd(robot, seated.state, {}).step(at_rest(seated.state));
    command.position = seated.state.q.tail(robot.num_joints());
    command.torque.setZero();
    for (int tick = 0; tick < 300; ++tick) simulation.step(command);
    EXPECT_NEAR(height_of_hips(simulation.state()), hips.z(), 1e-3);
    EXPECT_GT(simulation.seat_wrench().force.z(), 0.1 * robot.mass() * kGravity);
    EXPECT_NEAR(simulation.total_mass(), robot.mass(), 1e-9 * robot.mass()) << "a pad has no mass";
  }

  static SensorReadings at_rest(const RobotState& state) {
    SensorReadings readings;
    readings.state = state;
    return readings;
  }
  double height_of_hips(const RobotState& state) const {
    TreeKinematics tree(robot);
    tree.update(state.q);
    return tree.point(limbs.pelvis, limbs.hips).z();
  }

  RobotModel robot = RobotModel::load(GetParam());
  Limbs limbs = find_limbs(robot);
};

TEST_P(SeatedStart, TheSeatCarriesTheRobotWhereThePlannerHasIt) {
  const SeatedRobot fitting = sit_down(robot, limbs, {});
  expect_carried(fitting);
  expect_carried(sit_down(robot, limbs, fitting.chair_height + 0.1 * limbs.leg_length()));
}

INSTANTIATE_TEST_SUITE_P(Of, SeatedStart,
                         testing::Values("sarcos_real", "sarcos_heavy", "balancer", "coman", "hoap3", "talos", "g1",
                                         "icub"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace aplomb
