#pragma once

#include <memory>

#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb::test {

/// A plan of one second in which nothing moves and the seat is left after half of it.
inline std::shared_ptr<MotionPlan> still_plan(const RobotModel& robot) {
  constexpr Eigen::Index kSamples = 101;
  auto plan = std::make_shared<MotionPlan>();
  Trajectory& t = plan->trajectory;
  t.robot = robot.name();
  t.rate_hz = 100.0;
  t.q = Eigen::MatrixXd::Zero(robot.num_joints() + 7, kSamples);
  t.q.row(6).setOnes();
  t.v = t.a = Eigen::MatrixXd::Zero(robot.num_joints() + 6, kSamples);
  t.com = t.com_velocity = t.com_acceleration = t.force = Eigen::Matrix3Xd::Zero(3, kSamples);
  t.zmp = Eigen::Matrix2Xd::Zero(2, kSamples);
  t.seat_share = Eigen::VectorXd::Zero(kSamples);
  plan->contacts.contacts = {{.site = ContactSite::left_foot, .end_s = 1.01},
                             {.site = ContactSite::right_foot, .end_s = 1.01},
                             {.site = ContactSite::seat, .end_s = 0.5}};
  return plan;
}

/// One tick of a robot that stands still, each foot with half the weight.
struct StandingTick {
  explicit StandingTick(const RobotModel& robot)
      : torque(Eigen::VectorXd::Zero(robot.num_joints())), weight(robot.mass() * 9.81) {
    state.q = Eigen::VectorXd::Zero(robot.num_joints() + 7);
    state.v = Eigen::VectorXd::Zero(robot.num_joints() + 6);
    now.commanded_torque = torque;
    now.com.setZero();
    now.com_reference.setZero();
    now.pelvis.setZero();
    now.zmp.setZero();
    for (auto& force : now.hand_force) force.setZero();
    for (auto& cop : now.cop) cop.setZero();
    set_feet(0.5 * weight, 0.5 * weight);
  }

  void set_feet(double left, double right) {
    now.foot_wrench[kLeft].force = {0.0, 0.0, left};
    now.foot_wrench[kRight].force = {0.0, 0.0, right};
  }

  Observation now;
  RobotState state;
  Eigen::VectorXd torque;
  double weight;
};

}  // namespace aplomb::test
