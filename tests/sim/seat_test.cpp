#include <gtest/gtest.h>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

/// sarcos_real on a chair, held by springs and the feed-forward that carries its weight.
struct Sitting {
  explicit Sitting(double height)
      : simulation(robot, World{.chair = Chair{.height = height, .hip_x = hip_x()}}), controller(robot, posture, {}) {
    simulation.start(posture);
  }
  double hip_x() const {
    const FrameId thigh = robot.frame("left_thigh");
    RobotTerms terms(robot, std::vector{thigh});
    terms.update(posture);
    return terms.frame(thigh).T_world_frame.translation().x();
  }
  void tick() {
    simulation.read(readings);
    simulation.step(controller.step(readings));
  }
  double on_feet() const {
    return simulation.foot_wrench()[kLeft].force.z() + simulation.foot_wrench()[kRight].force.z();
  }
  double on_seat() const { return simulation.seat_wrench().force.z(); }
  double off_posture() const {  ///< the largest joint error [rad]
    return (simulation.state().q - posture.q).tail(robot.num_joints()).cwiseAbs().maxCoeff();
  }

  RobotModel robot = RobotModel::load("sarcos_real");
  RobotState posture = robot.posture("seated");
  Simulation simulation;
  JointPd controller;
  SensorReadings readings;
};

TEST(Seat, AndFeetCarryTheWeightFromTheFirstTickOnAndThePoseIsHeld) {
  Sitting sitting(0.45);
  const double weight = sitting.robot.mass() * kGravity;
  for (int i = 0; i < 3000; ++i) {
    sitting.tick();
    ASSERT_NEAR(sitting.on_feet() + sitting.on_seat(), weight, 0.1 * weight) << "at tick " << i;
    ASSERT_GT(sitting.on_seat(), 0.3 * weight) << "at tick " << i;
    ASSERT_GT(sitting.on_feet(), 0.05 * weight) << "at tick " << i;
  }
  EXPECT_NEAR(sitting.on_feet() + sitting.on_seat(), weight, 1e-3 * weight);
  EXPECT_LT(sitting.off_posture(), 0.03);
  EXPECT_LT(sitting.simulation.state().v.norm(), 0.01);
}

TEST(Seat, AboveThePostureRaisesTheRobotOntoIt) {
  for (double height : {0.47, 0.50}) {
    Sitting sitting(height);
    EXPECT_TRUE(sitting.simulation.notes().empty());
    double fastest = 0.0;
    for (int i = 0; i < 2000; ++i) {
      sitting.tick();
      fastest = std::max(fastest, sitting.simulation.state().v.head<3>().norm());
    }
    EXPECT_LT(fastest, 0.3) << height;  // [m/s]; thrown out, it would be several
    EXPECT_GT(sitting.on_seat(), 0.5 * sitting.robot.mass() * kGravity) << height;
    EXPECT_EQ(sitting.simulation.num_warnings(), 0);
  }
}

TEST(Seat, ThatIsLostToTheSensorsKeepsItsLastKnownShare) {
  Sitting sitting(0.45);
  for (int i = 0; i < 100; ++i) sitting.tick();
  const Eigen::VectorXd known = sitting.controller.step(sitting.readings).torque;
  sitting.readings.seat_wrench = {};
  sitting.readings.is_lost[static_cast<std::size_t>(Sensor::seat_wrench)] = true;
  EXPECT_LT((sitting.controller.step(sitting.readings).torque - known).norm(), 0.05 * known.norm());
}

}  // namespace
}  // namespace aplomb
