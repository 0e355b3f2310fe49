#include <gtest/gtest.h>

#include <functional>

#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/control/tasks/com_task.hpp"
#include "aplomb/control/tasks/gaze_task.hpp"
#include "aplomb/control/tasks/joint_task.hpp"
#include "aplomb/control/tasks/pose_task.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "robots/our_robots.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

constexpr double kStep = 1e-5;  // [rad]; the error of a central difference is then about 1e-10
const TaskGains kGains{.rate_per_s = 10.0, .speed = 1e9};

struct Rows {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

Rows rows_of(const Task& task, const StandingKinematics& kinematics, double time_s = 0.0) {
  Rows rows{Eigen::MatrixXd::Zero(task.num_rows(), kinematics.num_joints()), Eigen::VectorXd::Zero(task.num_rows())};
  task.write(kinematics, time_s, {rows.A, rows.b});
  return rows;
}

/// A robot in a random configuration, standing on a random foot.
struct Standing {
  Standing(const std::string& name, unsigned seed)
      : robot(test::our_robot(name)), kinematics(robot, test::random_state(robot, seed), frames(robot)) {
    kinematics.stand_on(static_cast<int>(seed % 2));
    kinematics.move(Eigen::VectorXd::Constant(robot.num_joints(), 0.01));
  }
  static std::vector<FrameId> frames(const RobotModel& robot) {
    const Roles& roles = robot.description().roles;
    return {robot.frame(roles.hand[kLeft]), robot.frame(roles.hand[kRight]), robot.frame(roles.trunk)};
  }
  FrameId hand(int side) const { return robot.frame(robot.description().roles.hand[side]); }
  FrameId trunk() const { return robot.frame(robot.description().roles.trunk); }

  RobotModel robot;
  StandingKinematics kinematics;
};

/// Compares the task's rows with central differences of `value`, which changes by A dq.
void expect_jacobian(const Task& task, Standing& standing, const std::function<Eigen::VectorXd()>& value) {
  const Eigen::MatrixXd A = rows_of(task, standing.kinematics).A;
  for (int i = 0; i < standing.robot.num_joints(); ++i) {
    const Eigen::VectorXd step = kStep * Eigen::VectorXd::Unit(standing.robot.num_joints(), i);
    standing.kinematics.move(step);
    const Eigen::VectorXd after = value();
    standing.kinematics.move(-2.0 * step);
    const Eigen::VectorXd before = value();
    standing.kinematics.move(step);
    EXPECT_LT(((after - before) / (2.0 * kStep) - A.col(i)).norm(), 1e-8) << "joint " << i;
  }
}

Eigen::VectorXd turned_from(const Eigen::Matrix3d& R_now, const Eigen::Matrix3d& R_then) {
  return rotation_vector(R_now * R_then.transpose());
}

class TaskRows : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  Standing standing_{std::get<0>(GetParam()), std::get<1>(GetParam())};
  StandingKinematics& kinematics_ = standing_.kinematics;
};

TEST_P(TaskRows, OfTheComAreItsDerivatives) {
  expect_jacobian(ComTask(kGains), standing_, [&] { return Eigen::VectorXd(kinematics_.com()); });
}

TEST_P(TaskRows, OfAPoseAreItsDerivatives) {
  const FrameId hand = standing_.hand(kRight);
  const PoseTask task(PoseTask::Part::pose, hand, std::nullopt, {}, kinematics_, kGains, kGains);
  const Eigen::Matrix3d R = kinematics_.pose(hand).linear();
  expect_jacobian(task, standing_, [&] {
    Eigen::VectorXd value(6);
    value << kinematics_.pose(hand).translation(), turned_from(kinematics_.pose(hand).linear(), R);
    return value;
  });
}

TEST_P(TaskRows, OfAPoseInAMovingFrameAreItsDerivativesThere) {
  const FrameId hand = standing_.hand(kRight), other = standing_.hand(kLeft);
  const PoseTask task(PoseTask::Part::pose, hand, other, {}, kinematics_, kGains, kGains);
  const Eigen::Isometry3d T = kinematics_.pose(other);
  const Eigen::Matrix3d R = T.linear().transpose() * kinematics_.pose(hand).linear();
  expect_jacobian(task, standing_, [&] {
    const Eigen::Isometry3d relative = kinematics_.pose(other).inverse() * kinematics_.pose(hand);
    Eigen::VectorXd value(6);  // in axes of the plan frame, as the rows are
    value << T.linear() * relative.translation(), T.linear() * turned_from(relative.linear(), R);
    return value;
  });
}

TEST_P(TaskRows, OfAGazeAreItsDerivatives) {
  const Eigen::Vector3d point(1.0, 2.0, -0.5);
  const GazeTask task(standing_.trunk(), point, kinematics_, kGains);
  expect_jacobian(task, standing_, [&] { return Eigen::VectorXd(task.across(kinematics_.pose(standing_.trunk()))); });
}

TEST_P(TaskRows, DoNotMoveTheReferenceFoot) {
  const FrameId foot = kinematics_.foot(kinematics_.reference_side());
  const Eigen::Isometry3d before = kinematics_.pose(foot);
  const PoseTask task(PoseTask::Part::pose, foot, std::nullopt, {}, kinematics_, kGains, kGains);
  EXPECT_LT(rows_of(task, kinematics_).A.norm(), 1e-12);
  for (int i = 0; i < 20; ++i) kinematics_.move(Eigen::VectorXd::Random(standing_.robot.num_joints()) * 1e-2);
  EXPECT_LT((kinematics_.pose(foot).matrix() - before.matrix()).norm(), 1e-12);
}

TEST_P(TaskRows, DoNotJumpWhenTheOtherFootBecomesTheReference) {
  const Eigen::Vector3d com = kinematics_.com();
  const Eigen::Isometry3d hand = kinematics_.pose(standing_.hand(kLeft));
  kinematics_.stand_on(1 - kinematics_.reference_side());
  EXPECT_LT((kinematics_.com() - com).norm(), 1e-12);
  EXPECT_LT((kinematics_.pose(standing_.hand(kLeft)).matrix() - hand.matrix()).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Robots, TaskRows,
                         testing::Combine(testing::Values("hoap3", "coman", "sarcos"), testing::Values(1u, 2u, 3u)),
                         [](const auto& which) {
                           return std::get<0>(which.param) + "_" + std::to_string(std::get<1>(which.param));
                         });

TEST(GazeTask, TurnsTowardsAPointBehind) {
  Standing standing("hoap3", 4);
  const Eigen::Isometry3d pose = standing.kinematics.pose(standing.trunk());
  // The axis is the plan frame's x axis: straight behind is −x, where the sine of the error vanishes.
  const GazeTask task(standing.trunk(), pose.translation() - Eigen::Vector3d::UnitX(), standing.kinematics, kGains);
  EXPECT_NEAR(task.angle(pose), M_PI, 1e-9);
  EXPECT_GT(rows_of(task, standing.kinematics, 1.0).b.norm(), 10.0);
}

TEST(PoseTask, RequestsTheReferenceVelocityPlusRateTimesError) {
  Standing standing("hoap3", 5);
  PoseReference reference;
  reference.motion.circle = {.radius = 0.1, .period_s = 2.0};
  const PoseTask task(PoseTask::Part::position, standing.hand(kRight), std::nullopt, reference, standing.kinematics,
                      kGains, kGains);
  for (double time : {0.0, 0.3, 1.7}) {
    const PointMotion::Offset offset = reference.motion.at(time);
    const Eigen::Vector3d expected = offset.velocity + kGains.rate_per_s * offset.position;
    EXPECT_LT((rows_of(task, standing.kinematics, time).b - expected).norm(), 1e-12);
  }
}

TEST(JointTask, IsNoFasterThanItsSpeedLimit) {
  Standing standing("hoap3", 6);
  const JointTask task({{.joint = 3, .angle = 100.0}}, {.rate_per_s = 10.0, .speed = 2.0});
  const Rows rows = rows_of(task, standing.kinematics, 1.0);
  EXPECT_EQ(rows.b[0], 2.0);
  EXPECT_EQ(rows.A.sum(), 1.0);
  EXPECT_EQ(rows.A(0, 3), 1.0);
}

}  // namespace
}  // namespace aplomb
