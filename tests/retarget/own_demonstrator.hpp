#pragma once

#include <cmath>
#include <random>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"

namespace aplomb::test {

/// A robot that gets up with waving arms, as its own demonstrator: 41 markers on its bodies, its feet planted.
class OwnDemonstrator {
 public:
  explicit OwnDemonstrator(const RobotModel& robot) : robot_(robot), tree_(robot) {
    seated_ = robot.posture("seated");
    standing_ = robot.posture("half_sitting");
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<int> solid;  // bodies with mass: those in between have nothing to stick a marker to
    for (int body = 0; body < tree_.num_bodies(); ++body) {
      if (tree_.mass(body) > 0.0) solid.push_back(body);
    }
    for (std::size_t i = 0; i < 41; ++i) {
      markers.push_back({.body = solid[i % solid.size()],
                         .offset = Eigen::Vector3d(0.1 * unit(engine), 0.1 * unit(engine), 0.15 * unit(engine))});
    }
    for (int foot = 0; foot < 2; ++foot) add_foot_rows(foot);
    for (int axis = 0; axis < 3; ++axis) {
      rows.push_back({.body = PointRow::kCentreOfMass, .direction = Eigen::Vector3d::Unit(axis), .softness = 1e-9});
    }
  }

  /// Posture at a phase from 0 (seated) to 1 (standing).
  Eigen::VectorXd posture(double phase) const {
    RobotState state = seated_;
    const double rise = minimum_jerk(phase, 1.0).position;
    state.q = (1.0 - rise) * seated_.q + rise * standing_.q;
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
      const bool is_leg = joint.name.find("hip") != std::string::npos || joint.name.find("knee") != std::string::npos ||
                          joint.name.find("ankle") != std::string::npos;
      if (is_leg) continue;
      const double room = std::min(state.q[7 + i] - joint.lower, joint.upper - state.q[7 + i]);
      state.q[7 + i] += 0.5 * room * std::sin(2.0 * std::numbers::pi * phase + i);
    }
    state.q.segment<4>(3).normalize();
    robot_.stand_on_soles(state);
    return state.q;
  }

  /// Asks a solver for the markers, feet and centre of mass of a posture.
  void ask(const Eigen::VectorXd& q, double noise, std::mt19937& engine, PostureSolver& solver) {
    tree_.update(q);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < markers.size(); ++i) {
      solver.targets[i] = tree_.point(markers[i].body, markers[i].offset);
      if (noise > 0.0) solver.targets[i] += noise * Eigen::Vector3d(normal(engine), normal(engine), normal(engine));
    }
    const Eigen::Vector3d com = tree_.com();
    for (int axis = 0; axis < 3; ++axis)
      solver.rows[rows.size() - 3 + static_cast<std::size_t>(axis)].value = com[axis];
  }

  std::vector<RobotMarker> markers;
  std::vector<PointRow> rows;  ///< twelve of the feet, three of the centre of mass

 private:
  void add_foot_rows(int foot) {
    const LinkPlacement& link =
        robot_.tree().links[static_cast<std::size_t>(robot_.frame(robot_.description().roles.foot[foot]))];
    tree_.update(seated_.q);
    // Three, two and one directions at three points of the foot: six in all.
    const Eigen::Vector3d points[] = {{0.0, 0.0, 0.0}, {0.2, 0.0, 0.0}, {0.0, 0.1, 0.0}};
    const int directions[] = {3, 2, 1};
    for (int point = 0; point < 3; ++point) {
      for (int k = 0; k < directions[point]; ++k) {
        PointRow row{.body = link.body, .offset = link.T_body_link * points[point]};
        row.direction = Eigen::Vector3d::Unit(2 - k);  // z first, then y, then x
        row.value = row.direction.dot(tree_.point(row.body, row.offset));
        rows.push_back(row);
      }
    }
  }

  const RobotModel& robot_;
  TreeKinematics tree_;
  RobotState seated_, standing_;
};

}  // namespace aplomb::test
