#pragma once

#include <random>

#include "aplomb/control/contact/limb_motion.hpp"
#include "robots/our_robots.hpp"

namespace aplomb::test {

/// CoMan in random motion near a posture, with contacts of two feet and the right hand, and random motion tasks.
struct RandomForceProblem {
  explicit RandomForceProblem(unsigned seed, int foot_rows = 6)
      : engine(seed), robot(our_robot("coman")), state(robot.posture("hands_out")), terms(robot, frames(robot)) {
    for (int i = 0; i < robot.num_joints(); ++i) state.q[7 + i] += 0.05 * unit(engine);
    for (int i = 0; i < robot.nv(); ++i) state.v[i] = 0.3 * unit(engine);
    terms.update(state);
    const Roles& roles = robot.description().roles;
    for (int side : {kLeft, kRight}) {
      add_contact(roles.foot[side], foot_rows, robot.description().soles[side]->centre());
      problem.contacts.back().role = ContactRole::supporting;
    }
    add_contact(roles.hand[kRight], 3, Eigen::Vector3d::Zero());
    problem.contacts.back().role = ContactRole::controlled;
    problem.contacts.back().force = Eigen::Vector3d(1.0, -2.0, 20.0);
    problem.levels.push_back({terms.com_jacobian(), random(3)});
    problem.levels.push_back({Eigen::MatrixXd::Zero(robot.num_joints(), robot.nv()), random(robot.num_joints())});
    problem.levels.back().A.rightCols(robot.num_joints()).setIdentity();
  }

  static std::vector<FrameId> frames(const RobotModel& robot) {
    const Roles& roles = robot.description().roles;
    return {robot.frame(roles.foot[kLeft]), robot.frame(roles.foot[kRight]), robot.frame(roles.hand[kRight])};
  }
  Eigen::VectorXd random(int size) {
    Eigen::VectorXd values(size);
    for (double& value : values) value = unit(engine);
    return values;
  }
  void add_contact(const std::string& link, int rows, const Eigen::Vector3d& in_link) {
    const FrameTerms& frame = terms.frame(robot.frame(link));
    PointRows point(robot.nv());
    point.write(frame, frame.T_world_frame * in_link, frame.T_world_frame.linear());
    ForceContact contact(link, rows, robot.nv());
    contact.jacobian = point.jacobian.topRows(rows);
    contact.acceleration = -point.bias.head(rows) + 0.1 * random(rows);
    contact.weight = (2.0 * random(rows)).array().exp();
    contact.point = frame.T_world_frame * in_link;
    contact.R_world_contact = frame.T_world_frame.linear();
    contact.friction = 0.8;
    contact.half_length = 0.09;
    contact.half_width = 0.045;
    contact.twist_radius = 0.05;
    problem.contacts.push_back(contact);
  }
  /// Largest residual of M v̇ + h = Sᵀτ + Σ Jᵀf and of the contact constraints.
  double physics_error(const ForceSolution& solution) const {
    Eigen::VectorXd rest = terms.mass_matrix() * solution.acceleration + terms.bias();
    rest.tail(robot.num_joints()) -= solution.torque;
    double worst = 0.0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const ForceContact& contact = problem.contacts[i];
      rest -= contact.jacobian.transpose() * solution.force[i];
      if (contact.role == ContactRole::free) continue;
      worst = std::max(worst, (contact.jacobian * solution.acceleration - contact.acceleration).norm());
    }
    return std::max(worst, rest.norm());
  }
  std::mt19937_64 engine;
  std::uniform_real_distribution<double> unit{-1.0, 1.0};
  RobotModel robot;
  RobotState state;
  RobotTerms terms;
  ForceProblem problem;
};

}  // namespace aplomb::test
