#pragma once

#include <memory>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb::test {

inline const RobotModel& sitting_robot() {
  static const RobotModel loaded = RobotModel::load("sarcos_real");
  return loaded;
}

inline double sitting_weight() { return sitting_robot().mass() * kGravity; }

/// A plan that sits still for a second, the seat's share of the weight falling from `from` to `to`.
inline std::shared_ptr<MotionPlan> sitting_plan(double from, double to) {
  const RobotModel& robot = sitting_robot();
  auto plan = std::make_shared<MotionPlan>();
  Trajectory& t = plan->trajectory;
  constexpr Eigen::Index kSamples = 101;
  t.rate_hz = 100.0;
  RobotState seated = robot.posture("seated");
  robot.stand_on_soles(seated);
  RobotTerms terms(robot, {});
  terms.update(seated);
  t.q = seated.q.replicate(1, kSamples);
  t.v = t.a = Eigen::MatrixXd::Zero(robot.nv(), kSamples);
  t.com = terms.com().replicate(1, kSamples);
  t.com_velocity = t.com_acceleration = Eigen::Matrix3Xd::Zero(3, kSamples);
  t.zmp = t.com.topRows<2>();
  t.force = Eigen::Vector3d(0.0, 0.0, sitting_weight()).replicate(1, kSamples);
  plan->contacts.chair_height_m = 0.45;
  using Wrenches = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  Wrenches seat = Wrenches::Zero(6, kSamples), foot = seat;
  const Eigen::RowVectorXd share = Eigen::RowVectorXd::LinSpaced(kSamples, from, to);
  t.seat_share = share.transpose();
  seat.row(2) = sitting_weight() * share;
  foot.row(2) = 0.5 * sitting_weight() * (Eigen::RowVectorXd::Ones(kSamples) - share);
  t.wrenches = {{ContactSite::left_foot, foot}, {ContactSite::right_foot, foot}, {ContactSite::seat, seat}};
  const auto& feet = robot.description().roles.foot;
  plan->contacts.contacts = {{.site = ContactSite::left_foot, .link = feet[kLeft], .end_s = 2.0},
                             {.site = ContactSite::right_foot, .link = feet[kRight], .end_s = 2.0},
                             {.site = ContactSite::seat, .link = "pelvis", .point = {0.05, 0.0, -0.1}, .end_s = 2.0}};
  return plan;
}

/// Readings of the robot at rest in the plan's posture, each foot with half of what the seat leaves.
inline SensorReadings sitting_readings(double time_s, double on_seat_n) {
  SensorReadings readings;
  readings.time_s = time_s;
  readings.state = {sitting_plan(0.5, 0.5)->trajectory.q.col(0), Eigen::VectorXd::Zero(sitting_robot().nv())};
  RobotTerms terms(sitting_robot(), sole_frames(sitting_robot()));
  terms.update(readings.state);
  for (const Side side : {kLeft, kRight}) {
    const Eigen::Vector3d force(0.0, 0.0, 0.5 * (sitting_weight() - on_seat_n));
    const FrameId foot = sitting_robot().frame(sitting_robot().description().roles.foot[side]);
    readings.foot_wrench[side].force = terms.frame(foot).T_world_frame.linear().transpose() * force;
  }
  return readings;
}

}  // namespace aplomb::test
