#include "aplomb/control/momentum_balance.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <utility>

#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/math/filter.hpp"
#include "aplomb/sim/simulation.hpp"
#include "control/forward_dynamics.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

const std::vector<std::string> kTorqueRobots = {"balancer", "coman", "sarcos", "sarcos_real", "sarcos_heavy"};

/// A robot that stands in simulation under a momentum balance and is pushed with 0.25 of its weight at 0.05 s.
struct Balanced {
  explicit Balanced(const std::string& name, const Eigen::Vector3d& direction = Eigen::Vector3d::UnitX(),
                    double per_weight = 0.25, MomentumBalance::Settings settings = {})
      : robot(test::our_robot(name)),
        start(robot.posture("half_sitting")),
        simulation(robot, {}, {.pushes = {push(direction * per_weight)}}),
        controller(robot, start, holding(robot, start, std::move(settings))) {
    simulation.start(start);
  }
  static MomentumBalance::Settings holding(const RobotModel& robot, const RobotState& start,
                                           MomentumBalance::Settings settings) {
    settings.com_reference = ComReference::hold(test::terms_at(robot, start).com());
    return settings;
  }
  Push push(const Eigen::Vector3d& per_weight) const {
    return {.link = robot.description().roles.trunk,
            .at = Push::At::robot_com,
            .peak_force = kGravity * robot.mass() * per_weight,
            .start_s = 0.05,
            .duration_s = 0.1};
  }
  const Command& tick() {
    simulation.read(readings);
    const Command& command = controller.step(readings);
    simulation.step(command);
    return command;
  }
  RobotModel robot;
  RobotState start;
  Simulation simulation;
  MomentumBalance controller;
  SensorReadings readings;
};

class MomentumBalanceOf : public testing::TestWithParam<std::string> {};

TEST_P(MomentumBalanceOf, LeavesNoResidualOnTheBase) {
  Balanced balanced(GetParam());
  for (int i = 0; i < 300; ++i) {
    balanced.tick();
    EXPECT_LT(balanced.controller.base_residual().norm(), 1e-8);
  }
}

TEST_P(MomentumBalanceOf, ReportsTheRateOfItsLoadsAsAdmissible) {
  // Σ f = m g + l̇, and the moments likewise: the admissible rates are those that the loads produce.
  Balanced balanced(GetParam());
  const Eigen::Vector3d weight(0.0, 0.0, -kGravity * balanced.robot.mass());
  for (int i = 0; i < 300; ++i) {
    balanced.tick();
    Eigen::Vector3d force = weight;
    for (const ContactLoad& load : balanced.controller.loads()) force += load.force;
    EXPECT_LT((force - balanced.controller.tick().admissible.linear).norm(), 1e-9 * weight.norm());
  }
}

/// A robot whose joints are as strong as its own, times a factor.
RobotModel with_strength(const RobotModel& robot, double factor) {
  Urdf urdf = robot.urdf();
  for (UrdfJoint& joint : urdf.joints) joint.effort *= factor;
  RobotDescription description = robot.description();
  description.actuation.default_effort *= factor;
  return {urdf, description};
}

TEST_P(MomentumBalanceOf, ReportsTheRateThatItsClampedTorquesProduce) {
  // The law of a tick in which torques are cut to their limits, however weak the joints are: the reported rate is that
  // of the robot's dynamics under the commanded torques with its feet held, not that of the loads it would like to
  // have.
  for (double factor : {1.0, 0.3, 0.1, 1e-3, 1e-9}) {
    const RobotModel weak = with_strength(test::our_robot(GetParam()), factor);
    const RobotState start = weak.posture("half_sitting");
    Balanced strong(GetParam(), Eigen::Vector3d::UnitX(), 0.5);
    MomentumBalance controller(weak, start, {.com_reference = ComReference::hold(test::terms_at(weak, start).com())});
    RobotTerms terms(weak, sole_frames(weak));
    const double weight = kGravity * weak.mass();
    std::vector<BalanceContacts::Site> sites;
    for (Side side : {kLeft, kRight}) sites.push_back({sole_frames(weak)[side], side, false});
    int num_clamped = 0;
    for (int i = 0; i < 300; ++i) {
      strong.tick();
      const Command& command = controller.step(strong.readings);
      // With joints far too weak the search for other loads may fail; the torques are then clamped, and the law holds.
      ASSERT_TRUE(command.status == CommandStatus::solved || factor < 0.2) << factor;
      ASSERT_EQ(controller.tick().time_s, strong.readings.time_s) << "the command is held";
      terms.update(strong.readings.state);
      const MomentumTick& tick = controller.tick();
      const MomentumRate produced = test::rate_with_held_contacts(terms, sites, controller.contacts(), command.torque);
      Eigen::Vector3d of_loads(0.0, 0.0, -weight);
      for (const ContactLoad& load : controller.loads()) of_loads += load.force;
      // Where nothing is cut, the reported rate is that of the loads.
      if ((tick.admissible.linear - of_loads).norm() < 1e-9 * weight) continue;
      ++num_clamped;
      EXPECT_LT((tick.admissible.linear - produced.linear).norm(), 1e-6 * weight) << factor << " at tick " << i;
      EXPECT_LT((tick.admissible.angular - produced.angular).norm(), 1e-6 * weight) << factor << " at tick " << i;
    }
    EXPECT_TRUE(factor > 0.2 || num_clamped > 0) << factor;
    if (factor < 1e-2) {
      // Joints without strength cannot carry the body: nearly all of what the contacts admit is given up.
      const Metrics metrics = controller.report().metrics;
      EXPECT_GT(*metrics.number("given_up_torque_max_n"), 0.3 * weight);
    }
  }
}

TEST_P(MomentumBalanceOf, IsFollowedByTheMeasuredForces) {
  Balanced balanced(GetParam());
  const double weight = kGravity * balanced.robot.mass();
  LowPass<3> admitted(20.0, 1e-3), measured(20.0, 1e-3);
  double squares = 0.0;
  constexpr int kTicks = 1000;
  for (int i = 0; i < kTicks; ++i) {
    balanced.tick();
    const RobotTerms terms = test::terms_at(balanced.robot, balanced.simulation.state(), sole_frames(balanced.robot));
    Eigen::Vector3d force(0.0, 0.0, -weight);
    for (int side : {kLeft, kRight}) {
      const FrameId foot = balanced.robot.frame(balanced.robot.description().roles.foot[side]);
      force += terms.frame(foot).T_world_frame.linear() * balanced.simulation.foot_wrench()[side].force;
    }
    const Eigen::Vector3d error =
        measured.update(force) - admitted.update(balanced.controller.tick().admissible.linear);
    squares += error.squaredNorm();
  }
  EXPECT_LT(std::sqrt(squares / kTicks), 0.03 * weight);
}

TEST_P(MomentumBalanceOf, CommandsEveryCopInsideItsSoleAndEveryTorqueInsideItsLimit) {
  for (const Eigen::Vector3d& direction : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, -1, 0)}) {
    Balanced balanced(GetParam(), direction, 0.5);
    for (int i = 0; i < 400; ++i) {
      const Command& command = balanced.tick();
      for (int side : {kLeft, kRight}) {
        const Eigen::Vector2d cop = command.foot_cop[static_cast<std::size_t>(side)];
        const Sole& sole = *balanced.robot.description().soles[side];
        EXPECT_TRUE(!cop.allFinite() || sole.margin(cop.x(), cop.y()) > 0.0) << cop.transpose();
      }
      for (int j = 0; j < balanced.robot.num_joints(); ++j) {
        EXPECT_LE(std::abs(command.torque[j]), balanced.robot.joints()[static_cast<std::size_t>(j)].effort);
      }
    }
  }
}

TEST_P(MomentumBalanceOf, KeepsStillInPerfectBalance) {
  Balanced balanced(GetParam(), Eigen::Vector3d::UnitX(), 0.0);
  for (int i = 0; i < 1000; ++i) balanced.tick();
  const Eigen::Vector3d com = test::terms_at(balanced.robot, balanced.simulation.state()).com();
  EXPECT_LT((com - test::terms_at(balanced.robot, balanced.start).com()).norm(), 5e-4);
}

TEST_P(MomentumBalanceOf, StepDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  Balanced balanced(GetParam(), Eigen::Vector3d::UnitY(), 0.6);  // enough for CoPs and torques to saturate
  std::vector<SensorReadings> recorded;
  for (int i = 0; i < 300; ++i) {
    balanced.tick();
    recorded.push_back(balanced.readings);
  }
  const test::AllocationCount allocations;
  for (const SensorReadings& readings : recorded) balanced.controller.step(readings);
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST_P(MomentumBalanceOf, NeverKeepsTorqueLimitsByAViolentPush) {
  // Fast joints need torques that no load brings within their limits. Without torque limits, the admissible rate may
  // already differ from the desired one by the weight, where the feet would have to pull.
  Balanced balanced(GetParam());
  const double weight = kGravity * balanced.robot.mass();
  std::mt19937 random(5);
  std::normal_distribution<double> speed(0.0, 4.0);
  int at_limit = 0;
  for (int i = 0; i < 400; ++i) {
    balanced.simulation.read(balanced.readings);
    for (double& rate : balanced.readings.state.v.tail(balanced.robot.num_joints())) rate = speed(random);
    balanced.controller.step(balanced.readings);
    const MomentumTick& tick = balanced.controller.tick();
    Eigen::Vector3d of_loads(0.0, 0.0, -weight);  // of the loads that it chooses; clamped torques may produce more
    for (const ContactLoad& load : balanced.controller.loads()) of_loads += load.force;
    EXPECT_LT(of_loads.norm(), tick.desired.linear.norm() + weight) << i;
    at_limit += (tick.admissible.linear - tick.desired.linear).norm() > 1.0 ? 1 : 0;
  }
  EXPECT_GT(at_limit, 0);
}

TEST_P(MomentumBalanceOf, StaysFiniteWhateverTheSensorsRead) {
  Balanced balanced(GetParam());
  balanced.tick();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 200; ++i) {
    SensorReadings wild = balanced.readings;
    wild.state = test::random_state(balanced.robot, static_cast<unsigned>(i));
    wild.state.v *= i % 3 == 0 ? 100.0 : 1.0;
    for (int side : {kLeft, kRight}) wild.foot_wrench[side].force.setConstant(i % 5 == side ? kNan : 1e3 * (i % 7));
    if (i % 11 == 0) wild.state.q[9] = kNan;
    const Command& command = balanced.controller.step(wild);
    ASSERT_TRUE(command.torque.allFinite() && command.position.allFinite() && command.velocity.allFinite()) << i;
  }
}

TEST_P(MomentumBalanceOf, AsPrintedLeavesNoResidualKeepsTheTorqueLimitsAndDoesNotAllocate) {
  Balanced balanced(GetParam(), Eigen::Vector3d::UnitY(), 0.3, {.as_printed = true});
  std::vector<SensorReadings> recorded;
  for (int i = 0; i < 300; ++i) {
    const Command& command = balanced.tick();
    ASSERT_EQ(command.status, CommandStatus::solved);
    EXPECT_LT(balanced.controller.base_residual().norm(), 1e-8);
    for (int j = 0; j < balanced.robot.num_joints(); ++j) {
      EXPECT_LE(std::abs(command.torque[j]), balanced.robot.joints()[static_cast<std::size_t>(j)].effort);
    }
    recorded.push_back(balanced.readings);
  }
  SKIP_UNLESS_COUNTED();
  const test::AllocationCount allocations;
  for (const SensorReadings& readings : recorded) balanced.controller.step(readings);
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST_P(MomentumBalanceOf, ExcludedArmsKeepTheirPostureWhereUsedOnesSwing) {
  double swing[2] = {0.0, 0.0};
  for (const bool is_excluded : {false, true}) {
    Balanced balanced(GetParam(), Eigen::Vector3d::UnitX(), 0.4,
                      {.arms = is_excluded ? MomentumBalance::Arms::excluded : MomentumBalance::Arms::used});
    const Eigen::VectorXd weight = posture_weight(balanced.robot, /*excludes_arms=*/true);
    for (int i = 0; i < 300; ++i) {
      balanced.tick();
      const Eigen::VectorXd moved =
          (balanced.simulation.state().q - balanced.start.q).tail(balanced.robot.num_joints()).cwiseAbs();
      for (int j = 0; j < balanced.robot.num_joints(); ++j) {
        if (std::isinf(weight[j])) swing[is_excluded] = std::max(swing[is_excluded], moved[j]);
      }
    }
  }
  EXPECT_LT(swing[1], 0.25 * swing[0]);
}

INSTANTIATE_TEST_SUITE_P(Law, MomentumBalanceOf, testing::ValuesIn(kTorqueRobots),
                         [](const auto& robot) { return robot.param; });

TEST(MomentumBalance, HoldsItsCommandWithAStatusWhileAJointIsLost) {
  Balanced balanced("balancer");
  const Eigen::VectorXd torque = balanced.tick().torque;
  balanced.simulation.read(balanced.readings);
  balanced.readings.is_lost[static_cast<std::size_t>(Sensor::joint_velocity)] = true;
  const Command& held = balanced.controller.step(balanced.readings);
  EXPECT_EQ(held.status, CommandStatus::reading_missing);
  EXPECT_EQ(held.torque, torque);
}

TEST(MomentumBalance, RefusesADampingOfTheFeetWithoutItsStiffness) {
  const RobotModel robot = test::our_robot("balancer");
  MomentumBalance::Settings settings;
  settings.foot_damping = 20.0;
  EXPECT_THROW(MomentumBalance(robot, robot.posture("half_sitting"), settings), InvalidValue);
}

TEST(MomentumBalance, RefusesARobotWithPositionControlledJoints) {
  const RobotModel robot = test::our_robot("hoap3");
  EXPECT_THROW(MomentumBalance(robot, robot.posture("half_sitting"), {}), InvalidValue);
}

TEST(MomentumBalance, FollowsAnAngularMomentumReference) {
  Balanced balanced("balancer", Eigen::Vector3d::UnitX(), 0.0);
  balanced.controller.track_angular_momentum({0.0, 0.3, 0.0});
  for (int i = 0; i < 150; ++i) balanced.tick();
  const Vector6d momentum = test::terms_at(balanced.robot, balanced.simulation.state()).momentum();
  EXPECT_NEAR(momentum[4], 0.3, 0.1);  // the posture task opposes it
}

TEST(MomentumBalance, ReportsWhenOnlyAStepWouldHelp) {
  Balanced balanced("balancer", Eigen::Vector3d::UnitX(), 1.0);
  for (int i = 0; i < 700; ++i) balanced.tick();
  Metrics metrics = balanced.controller.report().metrics;
  ASSERT_TRUE(metrics.number("capture_point_left_support_s"));
  EXPECT_GT(*metrics.number("capture_point_left_support_s"), 0.05);
  Balanced gently("balancer");
  for (int i = 0; i < 700; ++i) gently.tick();
  metrics = gently.controller.report().metrics;
  EXPECT_FALSE(metrics.number("capture_point_left_support_s"));
}

TEST(MomentumBalance, ReportsTheAngularRateLostToATorqueLimit) {
  Balanced balanced("balancer", Eigen::Vector3d::UnitY(), 1.2);
  for (int i = 0; i < 400; ++i) balanced.tick();
  const Metrics metrics = balanced.controller.report().metrics;
  EXPECT_GT(*metrics.number("given_up_torque_max_nm"), 1.0);
}

}  // namespace
}  // namespace aplomb
