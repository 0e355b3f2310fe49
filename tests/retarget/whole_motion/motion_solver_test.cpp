#include "aplomb/retarget/whole_motion/motion_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/motion/plan_audit.hpp"
#include "aplomb/retarget/frames/rise_solver.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/key_fit.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/plan_clock.hpp"
#include "aplomb/retarget/mapping/plan_contacts.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "aplomb/retarget/whole_motion/clip_task.hpp"
#include "aplomb/retarget/whole_motion/motion_forces.hpp"
#include "aplomb/retarget/whole_motion/motion_frame.hpp"
#include "aplomb/retarget/whole_motion/motion_trajectory.hpp"
#include "aplomb/retarget/whole_motion/violated_limits.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

/// The rise of a demonstrated person on the robot of the paper, as a whole-motion task with a knot every 40 ms.
struct Rise {
  explicit Rise(const std::string& style) : robot(RobotModel::load("sarcos_real")), limbs(find_limbs(robot)) {
    const HumanTrial trial = test::demonstrated_trial(style);
    const HumanPath own = human_path(trial, 0);
    human = on_plan_clock(own, {});
    seated = sit_down(robot, limbs, {});
    overlay = lay_over(human, robot, limbs, seated, make_link_map(trial.subject.skeleton, robot, limbs, {}));
    SolverBudget budget(1'000'000);
    RiseSolver frames(robot, limbs, seated, human, overlay, budget);
    Eigen::MatrixXd q;
    frames.follow_markers({}, RiseSolver::Com::free, q);
    const ComMap map =
        fit_keys({trial, own, human, robot, limbs, seated, frames.heel_x(), frames.toe_x(), frames.feet()}, q, overlay);
    Eigen::Matrix3Xd com(3, human.num_frames());
    for (Eigen::Index i = 0; i < human.num_frames(); ++i) com.col(i) = map.map(human.com.col(i), i);
    task = make_motion_task({robot, limbs, human, seated, overlay, com, q}, {.stride = 4});
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

/// Configuration with its derivatives in a frame of the problem.
struct KnotState {
  KnotState(const WholeMotion& motion, const MotionTask& task, Eigen::Index j) {
    const KnotStencil stencil = knot_stencil(j, task.num_frames(), task.step_s);
    x = rates = accelerations = Eigen::VectorXd::Zero(motion.knots.rows());
    for (std::size_t s = 0; s < static_cast<std::size_t>(stencil.count); ++s) {
      const auto knot = motion.knots.col(stencil.knot[s]);
      x += stencil.position[s] * knot;
      rates += stencil.rate[s] * knot;
      accelerations += stencil.acceleration[s] * knot;
    }
  }
  Eigen::VectorXd x, rates, accelerations;
};

TEST(WholeMotion, KeepsEveryLimitOfANaturalRiseByIndependentDynamics) {
  const Rise& rise = natural_rise();
  ASSERT_TRUE(rise.solved.converged);
  EXPECT_LT(rise.solved.violation, 1e-2);
  const RobotModel& robot = rise.robot;
  const MotionTask& task = rise.task;
  const double weight = robot.mass() * kGravity;
  std::vector<FrameId> links;
  for (const std::string& foot : robot.description().roles.foot) links.push_back(robot.frame(foot));
  links.push_back(robot.frame(robot.tree().bodies[static_cast<std::size_t>(rise.limbs.pelvis)].link));
  InverseDynamics inverse(robot, links);
  TreeKinematics tree(robot);
  double com_error = 0.0;
  for (Eigen::Index j = 0; j < task.num_frames(); ++j) {
    const Eigen::VectorXd f = rise.solved.forces.col(j);
    const KnotState at(rise.solved, task, j);
    std::vector<Wrench> wrenches(3);
    double vertical = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto first = static_cast<Eigen::Index>(6 * side);
      const Eigen::Isometry3d& place = task.soles[side].T_world_sole(j);
      const Eigen::Vector3d force = place.linear() * f.segment<3>(first);
      wrenches[side] = {force, place.linear() * f.segment<3>(first + 3) + place.translation().cross(force)};
      vertical += force.z();
      // CoP inside the sole with the margin of the task; each foot bears a part of the weight.
      EXPECT_GE(f[first + 2], 0.099 * weight) << j;
      EXPECT_LE(std::abs(f[first + 4] / f[first + 2]), task.soles[side].half_size.x() + 1e-4) << j;
      EXPECT_LE(std::abs(f[first + 3] / f[first + 2]), task.soles[side].half_size.y() + 1e-4) << j;
      EXPECT_LE(f.segment<2>(first).norm(), 1.001 * task.soles[side].friction * f[first + 2]) << j;  // a cone
    }
    for (std::size_t pad = 0; pad < 2; ++pad) {
      const Eigen::Vector3d force = f.segment<3>(static_cast<Eigen::Index>(12 + 3 * pad));
      wrenches[2].force += force;
      wrenches[2].moment += task.points[pad].place.cross(force);
      vertical += force.z();
      EXPECT_GE(force.z(), -1e-3) << j;
      if (task.points[pad].is_active[static_cast<std::size_t>(j)] == 0) {
        EXPECT_EQ(force.norm(), 0.0) << j;
      }
    }
    EXPECT_GE(vertical, 0.499 * weight) << j;
    EXPECT_LE(vertical, 1.501 * weight) << j;
    const Eigen::VectorXd tau = inverse.compute({configuration_of(at.x), velocity_of(at.x, at.rates)},
                                                acceleration_of(at.x, at.rates, at.accelerations), wrenches);
    EXPECT_LT(tau.head<3>().norm(), 1e-6 * weight) << j;
    EXPECT_LT(tau.segment<3>(3).norm(), 1e-6 * weight) << j;
    for (Eigen::Index i = 0; i < task.torque.size(); ++i) {
      EXPECT_LE(std::abs(tau[6 + i]), 1.001 * task.torque[i]) << j << " " << i;
      EXPECT_LE(std::abs(at.rates[6 + i]), 1.001 * task.speed[i]) << j << " " << i;
      EXPECT_GE(at.x[6 + i], task.lower[i] - 1e-4) << j << " " << i;
      EXPECT_LE(at.x[6 + i], task.upper[i] + 1e-4) << j << " " << i;
    }
    tree.update(configuration_of(at.x));
    for (const SoleContact& sole : task.soles) {
      const Eigen::Vector3d centre = tree.point(sole.body, sole.T_body_sole.translation());
      EXPECT_LT((centre - sole.T_world_sole(j).translation()).norm(), 2e-5) << j;
    }
    for (const PointCondition& equation : task.equations) {
      if (equation.is_active[static_cast<std::size_t>(j)] == 0) continue;
      const double value = equation.direction.dot(tree.point(equation.body, equation.offset));
      EXPECT_NEAR(value, equation.value[j], 2e-5) << equation.name << " " << j;
    }
    for (const PointCondition& bound : task.bounds) {
      if (bound.is_active[static_cast<std::size_t>(j)] == 0) continue;
      EXPECT_GE(bound.direction.dot(tree.point(bound.body, bound.offset)), bound.value[j] - 1e-4) << bound.name << j;
    }
    com_error = std::max(com_error, (tree.com() - task.com.col(j)).head<2>().norm());
  }
  EXPECT_LT(com_error, 0.005);
}

TEST(WholeMotion, ItsWrittenTrajectoryObeysTheDynamicsBetweenTheKnotsToo) {
  const Rise& rise = natural_rise();
  const double weight = rise.robot.mass() * kGravity;
  MotionPlan plan;
  plan.contacts = plan_contacts(rise.robot, rise.limbs, rise.human, rise.seated);
  plan.trajectory = motion_trajectory(rise.robot, rise.task, rise.solved, plan.contacts, rise.human.rate_hz);
  EXPECT_EQ(plan.trajectory.num_samples(), rise.human.num_frames());
  const PlanAudit audit = audit_plan(rise.robot, plan, 3);
  ASSERT_TRUE(audit.has_wrenches);
  EXPECT_LT(audit.base_residual_max_n.value, 1e-3);
  EXPECT_LT(audit.base_residual_max_nm.value, 1e-3);
  EXPECT_LT(audit.between_residual_max_n.value, 0.01 * weight);
  EXPECT_LT(audit.between_residual_max_nm.value, 0.005 * weight);  // m g h, h about 1 m
  EXPECT_LT(audit.torque_error_max_nm.value, 1e-3);
  EXPECT_LT(audit.com_error_max_m.value, 1e-9);
  EXPECT_LT(audit.spline_error_max_rad_per_s2.value, 1e-6);
  EXPECT_LT(audit.torque_ratio_max.value, 1.0);
  EXPECT_LT(audit.speed_ratio_max.value, 1.0);
  EXPECT_GT(audit.range_margin_min_rad.value, 0.0);
  EXPECT_GT(audit.cop_margin_length_min_m.value, 0.95 * 0.04);  // as at the knots
  EXPECT_GT(audit.cop_margin_width_min_m.value, 0.95 * 0.025);
  EXPECT_GT(audit.foot_force_min_per_weight.value, 0.05);
  EXPECT_GT(audit.support_force_min_per_weight.value, -1e-9);
  EXPECT_LT(audit.contact_drift_max_m.value, 1e-3);
}

double com_distance(const Rise& rise, const WholeMotion& one, const WholeMotion& other) {
  MotionDerivatives first(rise.robot), second(rise.robot);
  double largest = 0.0;
  for (Eigen::Index j = 0; j < rise.task.num_frames(); ++j) {
    const KnotState a(one, rise.task, j), b(other, rise.task, j);
    first.update_values(a.x, a.rates, a.accelerations);
    second.update_values(b.x, b.rates, b.accelerations);
    largest = std::max(largest, (first.com() - second.com()).norm());
  }
  return largest;
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
  const MotionSolver::Settings to_the_end{.max_iterations = 60, .tolerance = 1e-6};
  const WholeMotion other = MotionSolver(rise.robot, task).solve(to_the_end);
  const WholeMotion same = MotionSolver(rise.robot, rise.task).solve(to_the_end);
  ASSERT_TRUE(other.converged && same.converged);
  EXPECT_LT(com_distance(rise, same, other), 1e-4);  // [m]
  EXPECT_NEAR(other.iterations.back().cost, same.iterations.back().cost, 1e-3 * same.iterations.back().cost);
  EXPECT_LT(com_distance(rise, rise.solved, same), 1e-3);  // where the planner stops
}

TEST(WholeMotion, IsTheSameOnEveryRun) {
  const Rise& rise = natural_rise();
  const WholeMotion again = MotionSolver(rise.robot, rise.task).solve({});
  EXPECT_EQ(again.knots, rise.solved.knots);
  EXPECT_EQ(again.forces, rise.solved.forces);
}

TEST(WholeMotion, NamesTheLimitsThatATooWeakRobotViolates) {
  const Rise& rise = natural_rise();
  MotionTask task = rise.task;
  task.torque *= 0.02;  // weak knees alone are spared: the body then leans until it is above them
  const WholeMotion weak = MotionSolver(rise.robot, task).solve({.max_iterations = 8});
  EXPECT_GT(weak.violation, 0.1);
  double violation = 0.0;
  for (const auto& frame : weak.limits) {
    for (const ReachedLimit& limit : frame) {
      EXPECT_FALSE(limit.name.empty());
      if (limit.kind != ReachedLimit::Kind::equation) violation += std::max(0.0, limit.excess);
    }
  }
  EXPECT_NEAR(violation, weak.violation, 0.05 * weak.violation);  // speeds are taken between knots, and at them
}

/// The natural rise with a shelf that the hips must get above, higher than the legs reach, in some knots.
MotionTask with_a_shelf_out_of_reach() {
  const Rise& rise = natural_rise();
  MotionTask task = rise.task;
  task.first_guess = rise.solved.knots;
  const Eigen::Index last = task.num_frames() - 1;
  TreeKinematics tree(rise.robot);
  tree.update(configuration_of(task.first_guess.col(last)));
  PointCondition shelf{
      .name = "shelf", .body = rise.limbs.pelvis, .offset = rise.limbs.hips, .direction = Eigen::Vector3d::UnitZ()};
  shelf.value.setConstant(task.num_frames(), tree.point(shelf.body, shelf.offset).z() + 0.2);
  shelf.is_active.assign(static_cast<std::size_t>(task.num_frames()), 0);
  for (Eigen::Index j = last - 6; j <= last; ++j) shelf.is_active[static_cast<std::size_t>(j)] = 1;
  task.bounds.push_back(shelf);
  return task;
}

TEST(ViolatedLimits, TheLimitWithoutWhichAMotionIsFeasibleIsFound) {
  const Rise& rise = natural_rise();
  EXPECT_TRUE(violated_limits(rise.solved, 1e-2).empty());
  const MotionTask task = with_a_shelf_out_of_reach();
  const WholeMotion nearest = MotionSolver(rise.robot, task).solve({.max_iterations = 12});
  const std::vector<ViolatedLimit> violated = violated_limits(nearest, 1e-2);
  ASSERT_FALSE(violated.empty());
  EXPECT_EQ(violated.front().name, "shelf");
  EXPECT_GE(violated.front().first, task.num_frames() - 7);
  EXPECT_GE(violated.front().worst, violated.front().first);
  EXPECT_GE(violated.front().last, violated.front().worst);
  for (std::size_t i = 1; i < violated.size(); ++i) EXPECT_LE(violated[i].sum, violated[i - 1].sum);
  const Removal removal = find_removal(rise.robot, task, nearest, 1e-2);
  ASSERT_TRUE(removal.is_enough);
  ASSERT_EQ(removal.limits.size(), 1u);
  EXPECT_EQ(removal.limits[0].name, "shelf");
}

TEST(ViolatedLimits, EveryLimitOfATaskCanBeTakenOut) {
  const Rise& rise = natural_rise();
  using Kind = ReachedLimit::Kind;
  for (const auto& [kind, name] :
       std::vector<std::pair<Kind, std::string>>{{Kind::torque, "left_knee"},
                                                 {Kind::contact, "left_foot, CoP lengthwise"},
                                                 {Kind::contact, "seat, friction"},
                                                 {Kind::contact, "all contacts, largest vertical force"},
                                                 {Kind::distance, "hips above the seat"}}) {
    MotionTask task = rise.task;
    remove_limit(rise.robot, {.kind = kind, .name = name}, task);
    if (kind == Kind::torque) {
      EXPECT_GT((task.torque - rise.task.torque).maxCoeff(), 1e6) << name;
    } else if (kind == Kind::distance) {
      EXPECT_EQ(task.bounds.size() + 1, rise.task.bounds.size()) << name;
    } else {
      const double far = task.soles[0].half_size.x() + task.points[0].friction + task.largest_force_per_weight;
      const double near =
          rise.task.soles[0].half_size.x() + rise.task.points[0].friction + rise.task.largest_force_per_weight;
      EXPECT_GT(far, near + 1.0) << name;
    }
  }
}

TEST(WholeMotion, EquationsThatContradictEachOtherAreNamedAndItHasNotConverged) {
  const Rise& rise = natural_rise();
  MotionTask task = rise.task;
  const auto on_seat = std::ranges::find(task.equations, std::string("hips on the seat"), &PointCondition::name);
  ASSERT_NE(on_seat, task.equations.end());
  PointCondition pin = *on_seat;
  pin.name = "pin";
  pin.value.array() += 0.03;  // [m]
  task.equations.push_back(pin);
  const WholeMotion motion = MotionSolver(rise.robot, task).solve({.max_iterations = 6});
  EXPECT_FALSE(motion.converged);
  const std::vector<ViolatedLimit> violated = violated_limits(motion, 1e-2);
  EXPECT_TRUE(std::ranges::any_of(violated, [](const ViolatedLimit& limit) {
    return limit.kind == ReachedLimit::Kind::equation && (limit.name == "pin" || limit.name == "hips on the seat") &&
           limit.excess > 0.5;  // half a centimetre of the three
  }));
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
    EXPECT_LT((frame.map * (frame.spread * wrench) - wrench).norm(), 1e-9);
    EXPECT_LT((frame.map * frame.exchange).norm(), 1e-9);
    EXPECT_LT((frame.map * frame.points).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace aplomb
