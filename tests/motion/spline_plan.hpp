#pragma once

#include <Eigen/Core>
#include <cmath>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb::test {

/// Flat coordinates over time: a cubic each, with rates of order 1 and accelerations of order `bend`.
struct FlatCubic {
  Eigen::VectorXd start;
  double bend = 10.0;

  Eigen::VectorXd at(double t, int derivative) const {
    Eigen::VectorXd x(start.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double n = static_cast<double>(i), v = std::sin(1.0 + n), a = bend * std::cos(2.0 * n);
      const double jerk = 10.0 * bend * std::sin(3.0 + n);
      if (derivative == 0) x[i] = start[i] + t * (v + t * (a / 2.0 + t * jerk / 6.0));
      if (derivative == 1) x[i] = v + t * (a + t * jerk / 2.0);
      if (derivative == 2) x[i] = a + t * jerk;
    }
    return x;
  }
};

/// Samples of a cubic in the flat coordinates of a robot, about its half-sitting posture, over 0.2 s.
inline MotionPlan spline_plan(const RobotModel& robot, double rate_hz, const FlatCubic& motion) {
  MotionPlan plan;
  Trajectory& t = plan.trajectory;
  t.robot = robot.name();
  for (const Joint& joint : robot.joints()) t.joints.push_back(joint.name);
  t.rate_hz = rate_hz;
  t.start_s = 0.5;
  const auto count = static_cast<Eigen::Index>(std::lround(0.2 * rate_hz)) + 1;
  t.q.resize(robot.nq(), count);
  t.v.resize(robot.nv(), count);
  t.a.resize(robot.nv(), count);
  t.com.resize(3, count);
  t.com_velocity = t.com_acceleration = t.force = Eigen::Matrix3Xd::Zero(3, count);
  t.zmp = Eigen::Matrix2Xd::Zero(2, count);
  t.seat_share = Eigen::VectorXd::Zero(count);
  RobotTerms terms(robot, {});
  for (Eigen::Index i = 0; i < count; ++i) {
    const double s = static_cast<double>(i) / rate_hz;
    const Eigen::VectorXd x = motion.at(s, 0), rate = motion.at(s, 1), bend = motion.at(s, 2);
    t.q.col(i) = configuration_of(x);
    t.v.col(i) = velocity_of(x, rate);
    t.a.col(i) = acceleration_of(x, rate, bend);
    terms.update({t.q.col(i), t.v.col(i)});
    t.com.col(i) = terms.com();
  }
  return plan;
}

inline FlatCubic half_sitting_motion(const RobotModel& robot, double bend) {
  return {flat_coordinates(robot.posture("half_sitting").q), bend};
}

/// Adds both soles for the whole plan and a seat under the base for [start, end).
inline void add_contacts(const RobotModel& robot, double seat_off_s, MotionPlan& plan) {
  const RobotDescription& description = robot.description();
  for (std::size_t side = 0; side < 2; ++side) {
    plan.contacts.contacts.push_back({.site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot,
                                      .link = description.roles.foot[side],
                                      .point = description.soles[side]->centre(),
                                      .start_s = plan.trajectory.start_s,
                                      .end_s = plan.trajectory.end_s() + 1.0});
  }
  plan.contacts.contacts.push_back({.site = ContactSite::seat,
                                    .link = robot.tree().bodies.front().link,
                                    .point = {0.0, 0.0, -0.1},
                                    .start_s = plan.trajectory.start_s,
                                    .end_s = seat_off_s});
}

}  // namespace aplomb::test
