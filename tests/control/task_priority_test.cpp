#include "aplomb/control/task_priority.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/control/task_priority/zmp_feedback.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Readings of a robot exactly in its commanded configuration, with its weight evenly on all load cells.
SensorReadings standing(const RobotModel& robot, const RobotState& state, double time_s) {
  SensorReadings readings;
  readings.time_s = time_s;
  readings.state = state;
  for (auto& cells : readings.load_cells) cells.fill(robot.mass() * kGravity / 8.0);
  return readings;
}

TaskPriority::Settings settings_for(const RobotModel& robot, const RobotState& start) {
  return {.com_reference = ComReference::hold(test::terms_at(robot, start).com())};
}

/// Runs a controller on a robot that follows it without delay.
template <typename AfterTick>
void follow(TaskPriority& controller, const RobotModel& robot, const RobotState& start, int ticks, AfterTick after) {
  RobotState state = start;
  for (int tick = 0; tick < ticks; ++tick) {
    controller.step(standing(robot, state, 1e-3 * tick));
    state.q.tail(robot.num_joints()) = controller.kinematics().joints();
    after(tick);
  }
}

TaskSpec hand_task(const RobotModel& robot, int level) {
  TaskSpec spec{.kind = TaskSpec::Kind::position, .link = robot.description().roles.hand[kRight], .level = level};
  spec.reference.motion.circle = {.radius = 0.03, .period_s = 1.0};
  return spec;
}

TaskSpec far_task(const RobotModel& robot, int level) {
  TaskSpec spec{.kind = TaskSpec::Kind::pose, .link = robot.description().roles.hand[kLeft], .level = level};
  spec.reference.motion.points = {{.time_s = 0.2, .offset = {0.5, 0.3, 0.8}}};  // out of reach
  return spec;
}

class TaskPriorityOfEveryRobot : public testing::TestWithParam<std::string> {
 protected:
  const RobotModel robot_ = test::our_robot(GetParam());
  const RobotState start_ = robot_.posture("half_sitting");
};

TEST_P(TaskPriorityOfEveryRobot, DoesNotLetATaskChangeTheVelocityOfAHigherLevel) {
  TaskPriority::Settings settings = settings_for(robot_, start_);
  settings.tasks = {hand_task(robot_, 1), far_task(robot_, 2)};
  TaskPriority controller(robot_, start_, settings);
  // Solves the levels above alone in every tick, and compares their residuals.
  std::vector<HierarchyLevelSize> sizes;
  for (const HierarchyLevel& level : controller.problem().levels) {
    sizes.push_back({static_cast<int>(level.A.rows()), static_cast<int>(level.C.rows())});
  }
  sizes.pop_back();
  HierarchyProblem above(robot_.num_joints(), sizes);
  TaskHierarchy alone(robot_.num_joints(), sizes, {.rank_tolerance = 5e-3});
  follow(controller, robot_, start_, 300, [&](int tick) {
    for (std::size_t k = 0; k < sizes.size(); ++k) above.levels[k] = controller.problem().levels[k];
    ASSERT_EQ(alone.solve(above), SolveStatus::solved);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const HierarchyLevelReport& with = controller.solution().levels[k];
      const HierarchyLevelReport& without = alone.solution().levels[k];
      if (with.damping > 0.0 || without.damping > 0.0) break;  // damped: not a strict optimum
      ASSERT_LT((with.residual - without.residual).cwiseAbs().sum(), 1e-10) << "level " << k << " at tick " << tick;
    }
  });
}

TEST_P(TaskPriorityOfEveryRobot, KeepsFeetComAndJointLimitsWhileAHandPulls) {
  TaskPriority::Settings settings = settings_for(robot_, start_);
  settings.tasks = {far_task(robot_, 1)};
  TaskPriority controller(robot_, start_, settings);
  const StandingKinematics& kinematics = controller.kinematics();
  const Eigen::Isometry3d foot = kinematics.pose(kinematics.foot(kLeft));
  const Eigen::Vector3d com = kinematics.com();
  follow(controller, robot_, start_, 3000, [&](int tick) {
    ASSERT_LT((kinematics.pose(kinematics.foot(kLeft)).matrix() - foot.matrix()).norm(), 2e-4) << tick;
    ASSERT_LT((kinematics.com() - com).norm(), 5e-4) << tick;
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
      ASSERT_GE(kinematics.joints()[i], joint.lower) << joint.name;
      ASSERT_LE(kinematics.joints()[i], joint.upper) << joint.name;
      ASSERT_LE(std::abs(controller.joint_rates()[i]), joint.velocity * (1.0 + 1e-12)) << joint.name;
    }
  });
}

TEST_P(TaskPriorityOfEveryRobot, CommandsFiniteValuesForAnyReadings) {
  TaskPriority controller(robot_, start_, settings_for(robot_, start_));
  SensorReadings good = standing(robot_, start_, 0.0);
  for (int tick = 0; tick < 200; ++tick) {
    SensorReadings bad = good;
    bad.time_s = 1e-3 * tick;
    if (tick % 3 == 0) bad.state.q.setConstant(kNan);
    if (tick % 5 == 0) bad.load_cells[kLeft].fill(kNan);
    if (tick % 7 == 0) bad.load_cells[kRight].fill(std::numeric_limits<double>::infinity());
    const Command& command = controller.step(bad);
    ASSERT_TRUE(command.position.allFinite() && command.torque.allFinite() && command.velocity.allFinite());
    ASSERT_EQ(command.status, CommandStatus::solved);
  }
}

TEST_P(TaskPriorityOfEveryRobot, StepsWithoutAllocation) {
  SKIP_UNLESS_COUNTED();
  TaskPriority::Settings settings = settings_for(robot_, start_);
  settings.tasks = {hand_task(robot_, 1), far_task(robot_, 2)};
  settings.steps = StepPlan({{.foot = kRight,
                              .unload_s = 0.01,
                              .lift_off_s = 0.06,
                              .touch_down_s = 0.11,
                              .carry_s = 0.16,
                              .step = {0.01, 0.0, 0.0},
                              .lift = 0.01}});
  TaskPriority controller(robot_, start_, settings);
  SensorReadings readings = standing(robot_, start_, 0.0);
  const test::AllocationCount allocations;
  for (int tick = 0; tick < 200; ++tick) {
    readings.time_s = 1e-3 * tick;
    readings.load_cells[kLeft][1] += 0.1;
    controller.step(readings);
  }
  readings.load_cells[kLeft][0] = kNan;
  readings.state.q.setConstant(kNan);
  controller.step(readings);
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST_P(TaskPriorityOfEveryRobot, HasAStableZmpLoop) {
  const LoopMargins margins = TaskPriority(robot_, start_, settings_for(robot_, start_)).zmp_margins();
  EXPECT_TRUE(margins.is_stable);
  EXPECT_GT(margins.gain, 2.0);
  EXPECT_GT(margins.phase, 0.5);
}

INSTANTIATE_TEST_SUITE_P(TaskPriority, TaskPriorityOfEveryRobot, testing::Values("hoap3", "coman", "sarcos"),
                         [](const auto& robot) { return robot.param; });

TEST(TaskPriority, PassesTheStraightKneeWithoutAJump) {
  const RobotModel robot = test::our_robot("hoap3");
  RobotState start = robot.posture("half_sitting");
  for (const char* side : {"L", "R"}) {  // nearly straight legs
    start.q[7 + robot.joint(std::string(side) + "LEG_J3")] = -0.01;
    start.q[7 + robot.joint(std::string(side) + "LEG_J4")] = 0.02;
    start.q[7 + robot.joint(std::string(side) + "LEG_J5")] = -0.01;
  }
  robot.stand_on_soles(start);
  TaskPriority::Settings settings;
  const Eigen::Vector3d com = test::terms_at(robot, start).com();
  // Up, out of reach, then down out of the singularity, and into it again.
  settings.com_reference = ComReference::path(com, {{.time_s = 1.0, .offset = {0.0, 0.0, 0.02}},
                                                    {.time_s = 3.0, .offset = {0.0, 0.0, -0.03}},
                                                    {.time_s = 5.0, .offset = {0.0, 0.0, 0.02}}});
  TaskPriority controller(robot, start, settings);
  Eigen::VectorXd last = Eigen::VectorXd::Zero(robot.num_joints());
  double lowest = com.z();
  follow(controller, robot, start, 6000, [&](int tick) {
    ASSERT_EQ(controller.solution().x.allFinite(), true);
    ASSERT_LT((controller.joint_rates() - last).cwiseAbs().maxCoeff(), 0.0301) << tick;  // 6 rad/s in 0.2 s
    last = controller.joint_rates();
    lowest = std::min(lowest, controller.kinematics().com().z());
  });
  EXPECT_LT(lowest, com.z() - 0.025);  // it left the singularity
}

TEST(TaskPriority, StopsSmoothlyBelowAHeightOutOfReach) {
  const RobotModel robot = test::our_robot("hoap3");
  const RobotState start = robot.posture("half_sitting");
  TaskPriority::Settings settings;
  settings.com_reference =
      ComReference::path(test::terms_at(robot, start).com(), {{.time_s = 1.0, .offset = {0.0, 0.0, 0.1}}});
  TaskPriority controller(robot, start, settings);
  const StandingKinematics& kinematics = controller.kinematics();
  const Eigen::Vector3d com = kinematics.com();
  const int neck = robot.joint("HEAD_J1");
  follow(controller, robot, start, 5000, [&](int tick) {
    // No joint is driven from bound to bound for its small effect; the CoM stays above the feet.
    ASSERT_LT(std::abs(controller.joint_rates()[neck]), 0.2) << tick;
    ASSERT_LT((kinematics.com() - com).head<2>().norm(), 2e-3) << tick;
    if (tick > 4000) {
      ASSERT_LT(controller.joint_rates().cwiseAbs().maxCoeff(), 0.3) << tick;
    }
  });
  EXPECT_GT(kinematics.com().z(), com.z() + 0.005);
}

TEST(TaskPriority, ChangesTheReferenceFootWithoutAJump) {
  const RobotModel robot = test::our_robot("hoap3");
  const RobotState start = robot.posture("half_sitting");
  TaskPriority::Settings settings = settings_for(robot, start);
  settings.steps = StepPlan({{.foot = kRight,
                              .unload_s = 0.1,
                              .lift_off_s = 1.1,
                              .touch_down_s = 1.6,
                              .carry_s = 2.6,
                              .step = {0.02, 0.0, 0.0},
                              .lift = 0.01},
                             {.foot = kLeft,
                              .unload_s = 2.7,
                              .lift_off_s = 3.7,
                              .touch_down_s = 4.2,
                              .carry_s = 5.2,
                              .step = {0.02, 0.0, 0.0},
                              .lift = 0.01}});
  TaskPriority controller(robot, start, settings);
  Eigen::VectorXd last = controller.kinematics().joints();
  int changes = 0, side = controller.kinematics().reference_side();
  follow(controller, robot, start, 6000, [&](int tick) {
    const Eigen::VectorXd now = controller.kinematics().joints();
    ASSERT_LT((now - last).cwiseAbs().maxCoeff(), 2e-3) << tick;
    last = now;
    changes += controller.kinematics().reference_side() != side;
    side = controller.kinematics().reference_side();
  });
  EXPECT_EQ(changes, 2);
  const Eigen::Vector3d foot = controller.kinematics().pose(controller.kinematics().foot(kRight)).translation();
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(start);
  const FrameId right = robot.frame(robot.description().roles.foot[kRight]);
  EXPECT_NEAR(foot.x() - terms.frame(right).T_world_frame.translation().x(), 0.02, 1e-4);
}

TEST(TaskPriority, RejectsAStartOutsideOfAJointLimitByTheJointsName) {
  const RobotModel robot = test::our_robot("hoap3");
  const RobotState zero = test::zero_state(robot);
  try {
    TaskPriority controller(robot, zero, settings_for(robot, zero));
    FAIL();
  } catch (const InvalidValue& error) {
    EXPECT_NE(std::string(error.what()).find("BODY_J1"), std::string::npos);
  }
}

TEST(TaskPriority, IsAttractedByItsComfortPosture) {
  // With the printed sign, eq. 15 of the paper repels.
  const RobotModel robot = test::our_robot("hoap3");
  const RobotState start = robot.posture("half_sitting");
  TaskPriority::Settings settings = settings_for(robot, start);
  settings.comfort = TaskPriority::Comfort::middle;
  TaskPriority controller(robot, start, settings);
  const Joint& joint = robot.joints()[static_cast<std::size_t>(robot.joint("LARM_J4"))];
  const double middle = 0.5 * (joint.lower + joint.upper);
  const double before = std::abs(start.q[7 + robot.joint("LARM_J4")] - middle);
  follow(controller, robot, start, 4000, [](int) {});
  EXPECT_LT(std::abs(controller.kinematics().joints()[robot.joint("LARM_J4")] - middle), before);
}

TEST(TaskPriority, AsPrintedTakesTheWholeNewtonStepOfThreeLevels) {
  const RobotModel robot = RobotModel::load("hoap3");
  const RobotState start = robot.posture("half_sitting");
  TaskPriority::Settings settings = settings_for(robot, start);
  settings.as_printed = true;
  settings.comfort_gain = 0.0;
  settings.tasks = {hand_task(robot, 1)};  // not one of the paper's three
  const Eigen::Vector3d com = test::terms_at(robot, start).com();
  settings.com_reference = ComReference::hold(com + Eigen::Vector3d(0.0, 0.0, -0.002));
  TaskPriority controller(robot, start, settings);
  ASSERT_EQ(controller.problem().levels.size(), 3u);  // no bounds, feet, CoM
  for (int tick = 0; tick < 3; ++tick) controller.step(standing(robot, start, 1e-3 * tick));
  EXPECT_FALSE(std::isfinite(controller.problem().levels[0].lower.maxCoeff())) << "no bounds";
  // Newton's method: the error falls quadratically; at 50/s it would still be 86 % after three ticks.
  EXPECT_LT(std::abs(controller.kinematics().com().z() - com.z() + 0.002), 1e-6);
}

TEST(ZmpFeedback, AsPrintedIsStableBelowTheWeightOverTheStiffnessWhateverTheDelay) {
  // A body of k = 20 m g h and d w0 / k = 0.29, as HOAP-3 on its ankles: shift = Kp e, e = -p.
  const double mass = 8.8, height = 0.23, k = 20.0 * mass * kGravity * height;
  const double d = 0.29 * k / std::sqrt(kGravity / height);
  for (double kp : {0.04, 0.06}) {
    for (int delay : {1, 10}) {  // [ms]
      ZmpFeedback feedback({.kp = kp, .is_printed = true}, height);
      std::vector<double> late(static_cast<std::size_t>(delay), 0.0);
      double c = 0.0, rate = 0.01, zmp = 0.0, largest = 0.0;
      for (int tick = 0; tick < 4000; ++tick) {
        late.push_back(zmp);
        feedback.update(Eigen::Vector2d(-late[static_cast<std::size_t>(tick)], 0.0), 1.0,
                        Eigen::Vector2d::Constant(0.1), 1e-3);
        // (k - m g h) (s - c) - d c' = m h^2 c''; the ZMP is c - c'' h / g.
        const double inertia = mass * height * height;
        const double acceleration = ((k - mass * kGravity * height) * (feedback.shift().x() - c) - d * rate) / inertia;
        zmp = c - height / kGravity * acceleration;
        rate += 1e-3 * acceleration;
        c += 1e-3 * rate;
        if (tick > 3000) largest = std::max(largest, std::abs(zmp));
        if (!(std::abs(zmp) < 1e6)) {
          largest = 1e6;
          break;
        }
      }
      const std::string place = "Kp " + std::to_string(kp) + ", delay " + std::to_string(delay) + " ms";
      if (kp < 0.05) {
        EXPECT_LT(largest, 1e-6) << place;
      } else {
        EXPECT_GT(largest, 1.0) << place;
      }
    }
  }
}

}  // namespace
}  // namespace aplomb
