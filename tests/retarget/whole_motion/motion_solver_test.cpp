#include "aplomb/retarget/whole_motion/motion_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "aplomb/retarget/clip/rise_solver.hpp"
#include "aplomb/retarget/mapping/com_map.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "aplomb/retarget/whole_motion/motion_forces.hpp"
#include "aplomb/retarget/whole_motion/motion_frame.hpp"
#include "aplomb/retarget/whole_motion/rise_task.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

/// The rise of a demonstrated person on the robot of the paper, as a whole-motion task.
struct Rise {
  explicit Rise(const std::string& style) : robot(RobotModel::load("sarcos_real")), limbs(find_limbs(robot)) {
    const HumanTrial trial = test::demonstrated_trial(style);
    human = human_path(trial, 0);
    seated = sit_down(robot, limbs, {});
    const LinkMap links = make_link_map(trial.subject.skeleton, robot, limbs, {});
    overlay = lay_over(human, robot, limbs, seated, links);
    SolverBudget budget(1'000'000);
    RiseSolver frames(robot, limbs, seated, human, overlay, budget);
    Eigen::MatrixXd q;
    frames.follow_markers({}, RiseSolver::Com::free, q);
    TreeKinematics tree(robot);
    std::array<Eigen::Vector3d, 3> anchors;
    tree.update(seated.state.q);
    anchors[0] = tree.com();
    tree.update(q.col(human.rise.seat_off - 1));
    anchors[1] = tree.com();
    anchors[2] = frames.stand(standing_com(human, overlay, frames.heel_x(), frames.toe_x()), q.col(q.cols() - 1));
    const ComMap map = make_com_map(human, overlay.scale, anchors);
    Eigen::Matrix3Xd com(3, human.num_frames());
    for (Eigen::Index i = 0; i < human.num_frames(); ++i) com.col(i) = map.map(human.com.col(i), i);
    RiseTaskOptions options;
    options.step_s = 0.04;
    task = make_rise_task(robot, limbs, human, seated, overlay, com, q, options);
    solved = MotionSolver(robot, task).solve({});
  }

  RobotModel robot;
  Limbs limbs;
  HumanPath human;
  SeatedRobot seated;
  Overlay overlay;
  MotionTask task;
  WholeMotion solved;
};

const Rise& natural_rise() {
  static const Rise rise("natural");
  return rise;
}

TEST(WholeMotion, KeepsEveryLimitOfANaturalRiseByIndependentDynamics) {
  const Rise& rise = natural_rise();
  ASSERT_TRUE(rise.solved.converged);
  const RobotModel& robot = rise.robot;
  const MotionTask& task = rise.task;
  const double weight = robot.mass() * kGravity;
  std::vector<FrameId> links;
  for (const std::string& foot : robot.description().roles.foot) links.push_back(robot.frame(foot));
  links.push_back(robot.frame(robot.tree().bodies[static_cast<std::size_t>(rise.limbs.pelvis)].link));
  InverseDynamics inverse(robot, links);
  TreeKinematics tree(robot);
  const MotionSpline spline(rise.solved.controls, task.step_s);
  Eigen::VectorXd x, rates, accelerations;
  double com_error = 0.0;
  for (Eigen::Index j = 0; j < task.num_frames(); ++j) {
    const Eigen::VectorXd f = rise.solved.forces.col(j);
    spline.at(static_cast<double>(j) * task.step_s, x, rates, accelerations);
    std::vector<Wrench> wrenches(3);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto at = static_cast<Eigen::Index>(6 * side);
      const Eigen::Isometry3d& place = task.soles[side].T_world_sole;
      const Eigen::Vector3d force = place.linear() * f.segment<3>(at);
      wrenches[side] = {force, place.linear() * f.segment<3>(at + 3) + place.translation().cross(force)};
      // CoP inside the sole with the margin of the task; each foot bears a part of the weight.
      EXPECT_GE(f[at + 2], 0.099 * weight) << j;
      EXPECT_LE(std::abs(f[at + 4] / f[at + 2]), task.soles[side].half_size.x() + 1e-4) << j;
      EXPECT_LE(std::abs(f[at + 3] / f[at + 2]), task.soles[side].half_size.y() + 1e-4) << j;
    }
    for (std::size_t pad = 0; pad < 2; ++pad) {
      const Eigen::Vector3d force = f.segment<3>(static_cast<Eigen::Index>(12 + 3 * pad));
      wrenches[2].force += force;
      wrenches[2].moment += task.points[pad].place.cross(force);
      EXPECT_GE(force.z(), -1e-3);
    }
    const Eigen::VectorXd tau = inverse.compute({configuration_of(x), velocity_of(x, rates)},
                                                acceleration_of(x, rates, accelerations), wrenches);
    EXPECT_LT(tau.head<3>().norm(), 1e-6 * weight) << j;
    EXPECT_LT(tau.segment<3>(3).norm(), 1e-6 * weight) << j;
    for (Eigen::Index i = 0; i < task.torque.size(); ++i) EXPECT_LE(std::abs(tau[6 + i]), 1.001 * task.torque[i]);
    tree.update(configuration_of(x));
    for (const SoleContact& sole : task.soles) {
      const Eigen::Vector3d centre = tree.point(sole.body, sole.T_body_sole.translation());
      EXPECT_LT((centre - sole.T_world_sole.translation()).norm(), 2e-5) << j;
    }
    com_error = std::max(com_error, (tree.com() - task.com.col(j)).head<2>().norm());
  }
  EXPECT_LT(com_error, 0.005);
}

TEST(WholeMotion, IsTheSameFromABareBlendAsFirstGuess) {
  const Rise& rise = natural_rise();
  MotionTask task = rise.task;
  const Eigen::VectorXd begin = flat_coordinates(rise.seated.state.q);
  const Eigen::VectorXd end = task.first_guess.col(task.num_frames() - 1);
  for (Eigen::Index j = 0; j < task.num_frames(); ++j) {
    const double u = static_cast<double>(j) / static_cast<double>(task.num_frames() - 1);
    const double blend = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
    task.first_guess.col(j) = (1.0 - blend) * begin + blend * end;
  }
  const WholeMotion other = MotionSolver(rise.robot, task).solve({});
  ASSERT_TRUE(other.converged);
  MotionDerivatives first(rise.robot), second(rise.robot);
  Eigen::VectorXd x, rates, accelerations;
  double largest = 0.0;
  for (Eigen::Index j = 0; j < task.num_frames(); ++j) {
    MotionSpline(rise.solved.controls, task.step_s).at(static_cast<double>(j) * task.step_s, x, rates, accelerations);
    first.update_values(x, rates, accelerations);
    MotionSpline(other.controls, task.step_s).at(static_cast<double>(j) * task.step_s, x, rates, accelerations);
    second.update_values(x, rates, accelerations);
    largest = std::max(largest, (first.com() - second.com()).norm());
  }
  EXPECT_LT(largest, 1e-3);  // [m]; both stop when the cost no longer falls by a thousandth
}

TEST(WholeMotion, IsTheSameOnEveryRun) {
  const Rise& rise = natural_rise();
  const WholeMotion again = MotionSolver(rise.robot, rise.task).solve({});
  EXPECT_EQ(again.controls, rise.solved.controls);
  EXPECT_EQ(again.forces, rise.solved.forces);
}

/// Gradients of one frame against central differences.
TEST(MotionFrame, GradientsAreThoseOfFiniteDifferences) {
  const Rise& rise = natural_rise();
  const MotionForces contacts(rise.task, rise.robot.mass() * kGravity);
  MotionDerivatives derivatives(rise.robot);
  MotionFrame frame(rise.task, contacts, derivatives);
  for (const Eigen::Index j : {Eigen::Index{5}, rise.task.num_frames() - 8}) {  // on the seat, and off it
    Eigen::VectorXd x = rise.task.first_guess.col(j), rates = 0.3 * Eigen::VectorXd::Ones(x.size());
    Eigen::VectorXd accelerations = Eigen::VectorXd::LinSpaced(x.size(), -2.0, 2.0);
    const Eigen::VectorXd f = rise.solved.forces.col(j);
    std::vector<int> joints(static_cast<std::size_t>(rise.robot.num_joints()));
    for (std::size_t i = 0; i < joints.size(); ++i) joints[i] = static_cast<int>(i);
    frame.linearise(j, x, rates, accelerations);
    frame.linearise_torques(joints, f);
    const MotionFrame::Gradients g = frame.gradients();
    constexpr double kStep = 1e-5;
    const auto at = [&](Eigen::VectorXd& varied, Eigen::Index i, double step) {
      const double value = varied[i];
      varied[i] = value + step;
      frame.evaluate(j, x, rates, accelerations);
      varied[i] = value;
      return std::make_pair(frame.values(), frame.torques(f));
    };
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto [above, torque_above] = at(x, i, kStep);
      const auto [below, torque_below] = at(x, i, -kStep);
      EXPECT_NEAR((above.cost - below.cost) / (2.0 * kStep), g.gradient[i], 1e-6) << i;
      EXPECT_LT(((above.wrench - below.wrench) / (2.0 * kStep) - g.wrench_by_position.col(i)).norm(), 1e-2) << i;
      EXPECT_LT(((torque_above - torque_below) / (2.0 * kStep) - g.torque_by_position.col(i)).norm(), 1e-2) << i;
      EXPECT_LT(((above.equations - below.equations) / (2.0 * kStep) - g.equation_rows.col(i)).norm(), 2e-2) << i;
      ASSERT_EQ(above.bounds.size(), g.bound_rows.rows());
      EXPECT_LT(((above.bounds - below.bounds) / (2.0 * kStep) - g.bound_rows.col(i)).norm(), 1e-6) << i;
      const auto fast = at(rates, i, kStep).first.wrench;
      const auto slow = at(rates, i, -kStep).first.wrench;
      EXPECT_LT(((fast - slow) / (2.0 * kStep) - g.wrench_by_rate.col(i)).norm(), 1e-3) << i;
    }
  }
}

TEST(MotionForces, BalanceTheWrenchForAnyFreeForces) {
  const Rise& rise = natural_rise();
  const MotionForces contacts(rise.task, rise.robot.mass() * kGravity);
  for (Eigen::Index j = 0; j < rise.task.num_frames(); ++j) {
    const MotionForces::Frame& frame = contacts.frame(j);
    Vector6d wrench;
    wrench << 10.0, -20.0, 900.0, 30.0, -40.0, 5.0;
    EXPECT_LT((contacts.map() * (frame.spread * wrench) - wrench).norm(), 1e-9);
    EXPECT_LT((contacts.map() * frame.exchange).norm(), 1e-9);
    EXPECT_LT((contacts.map() * frame.points).norm(), 1e-9);
  }
}

TEST(MotionSpline, BeginsAndEndsAtRestAndItsRatesAreItsDerivatives) {
  Eigen::MatrixXd controls = Eigen::MatrixXd::Random(3, 9);
  const MotionSpline spline(controls, 0.1);
  Eigen::VectorXd x, rate, acceleration, before, after, unused;
  for (const double time : {0.0, spline.duration_s()}) {
    spline.at(time, x, rate, acceleration);
    EXPECT_LT(rate.norm() + acceleration.norm(), 1e-12);
  }
  constexpr double kStep = 1e-5;
  for (const double time : {0.123, 0.35, 0.62, 0.77}) {
    spline.at(time, x, rate, acceleration);
    Eigen::VectorXd rate_before, rate_after;
    spline.at(time - kStep, before, rate_before, unused);
    spline.at(time + kStep, after, rate_after, unused);
    EXPECT_LT(((after - before) / (2.0 * kStep) - rate).norm(), 1e-5);
    EXPECT_LT(((rate_after - rate_before) / (2.0 * kStep) - acceleration).norm(), 1e-2);
  }
  for (Eigen::Index j = 0; j < 9; ++j) {
    spline.at(0.1 * static_cast<double>(j), x, rate, acceleration);
    const SplineStencil stencil = spline_stencil(j, 9, 0.1);
    Eigen::VectorXd position = Eigen::VectorXd::Zero(3), speed = position, change = position;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stencil.count); ++s) {
      position += stencil.position[s] * controls.col(stencil.control[s]);
      speed += stencil.rate[s] * controls.col(stencil.control[s]);
      change += stencil.acceleration[s] * controls.col(stencil.control[s]);
    }
    EXPECT_LT((position - x).norm() + (speed - rate).norm() + (change - acceleration).norm(), 1e-9) << j;
  }
}

}  // namespace
}  // namespace aplomb
