#include "aplomb/control/momentum_balance/foot_poses.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/math/rotation.hpp"
#include "robots/our_robots.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

constexpr double kStiffness = 80.0, kDamping = 15.0;

/// The pose after moving with a constant twist, in the moving frame, for one unit of time: many short steps.
Eigen::Isometry3d moved_by(const Eigen::Isometry3d& from, const Vector6d& twist) {
  constexpr int kSteps = 20000;
  Eigen::Isometry3d step = Eigen::Isometry3d::Identity();
  step.linear() = rotation_by(twist.tail<3>() / kSteps);
  // midpoint of the turn: the error of one step is of third order
  step.translation() = rotation_by(0.5 * twist.tail<3>() / kSteps) * twist.head<3>() / kSteps;
  Eigen::Isometry3d pose = from;
  for (int i = 0; i < kSteps; ++i) pose = pose * step;
  return pose;
}

Eigen::Isometry3d random_pose(unsigned seed, double turn) {
  const Vector6d random = test::random_state(test::our_robot("balancer"), seed).v.head<6>();
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = rotation_by(turn * random.tail<3>().normalized());
  pose.translation() = random.head<3>();
  return pose;
}

TEST(PoseError, IsTheTwistThatLeadsFromOnePoseToTheOther) {
  for (double turn : {0.0, 1e-9, 1e-5, 0.3, 2.0, 3.1}) {
    const Eigen::Isometry3d from = random_pose(1, 0.7), to = from * random_pose(2, turn);
    const Eigen::Isometry3d reached = moved_by(from, pose_error(from, to));
    EXPECT_LT((reached.translation() - to.translation()).norm(), 1e-7) << turn;
    EXPECT_LT((reached.linear() - to.linear()).norm(), 1e-7) << turn;
  }
}

/// The balancer in motion with its right foot in the air, 2 cm and 0.1 rad or so from where it left the ground.
struct OneFootInTheAir {
  explicit OneFootInTheAir(std::optional<double> stiffness)
      : robot(test::our_robot("balancer")),
        contacts(robot, {}),
        terms(robot, contacts.frames()),
        feet(contacts.sites(), stiffness, kDamping),
        state(robot.posture("half_sitting")) {
    update();
    const Eigen::VectorXd random = test::random_state(robot, 5).v;
    state.q.tail(robot.num_joints()) += 0.03 * random.tail(robot.num_joints());
    state.v = 0.6 * random;
    update();
  }
  void update() {
    readings.state = state;
    terms.update(state);
    readings.foot_wrench[kLeft].force.z() = robot.mass() * kGravity;
    contacts.update(terms, readings, std::vector<ContactLoad>(2), fallbacks);
    feet.update(terms, contacts.contacts(), contacts.standing_feet());
  }
  const FrameTerms& foot(Side side) const { return terms.frame(contacts.sites()[side].frame); }

  RobotModel robot;
  BalanceContacts contacts;
  RobotTerms terms;
  FootPoses feet;
  RobotState state;
  SensorReadings readings;
  Fallbacks fallbacks;
};

TEST(FootPoses, AFootInTheAirAcceleratesAsPrintedInItsOwnFrame) {
  const RobotModel robot = test::our_robot("balancer");
  RobotTerms start(robot, sole_frames(robot));
  start.update(robot.posture("half_sitting"));
  const OneFootInTheAir one(kStiffness);
  ASSERT_TRUE(one.feet.prescribed()[kRight].is_fixed);
  EXPECT_FALSE(one.feet.prescribed()[kLeft].is_fixed);

  // Carried along by the standing foot's sole: the pose at which it left the ground, moved as that sole moved.
  Eigen::Isometry3d desired = start.frame(sole_frames(robot)[kRight]).T_world_frame;
  const Eigen::Vector3d centre = robot.description().soles[kLeft]->centre();
  desired.translation() +=
      one.foot(kLeft).T_world_frame * centre - start.frame(sole_frames(robot)[kLeft]).T_world_frame * centre;
  const FrameTerms& foot = one.foot(kRight);
  const Eigen::Isometry3d T = foot.T_world_frame;
  Vector6d twist, wanted_twist = Vector6d::Zero();  // in the foot's frame
  twist << T.linear().transpose() * foot.velocity.head<3>(), T.linear().transpose() * foot.velocity.tail<3>();
  wanted_twist.head<3>() = T.linear().transpose() * one.contacts.standing_feet().velocity;
  const Vector6d printed = kStiffness * pose_error(T, desired) + kDamping * (wanted_twist - twist);

  // The classical acceleration of a body whose twist changes at that rate, by central differences of its pose.
  constexpr double kStep = 1e-4;
  const auto pose_at = [&](double time) {
    constexpr int kSteps = 200;
    Eigen::Isometry3d pose = T;
    for (int i = 0; i < kSteps; ++i) {
      const double middle = (i + 0.5) / kSteps * time;
      const Vector6d now = (time / kSteps) * (twist + middle * printed);
      pose.translation() += pose.linear() * rotation_by(0.5 * now.tail<3>()) * now.head<3>();
      pose.linear() = pose.linear() * rotation_by(now.tail<3>());
    }
    return pose;
  };
  const Eigen::Vector3d numeric =
      (pose_at(kStep).translation() - 2.0 * T.translation() + pose_at(-kStep).translation()) / (kStep * kStep);
  const Vector6d& acceleration = one.feet.prescribed()[kRight].acceleration;
  EXPECT_GT(foot.velocity.tail<3>().cross(foot.velocity.head<3>()).norm(), 0.05) << "the two kinds must differ";
  EXPECT_LT((acceleration.head<3>() - numeric).norm(), 1e-5 * (1.0 + numeric.norm()));
  EXPECT_LT((acceleration.tail<3>() - T.linear() * printed.tail<3>()).norm(), 1e-9);
  // the standing feet's mid-point has 1e-9 of the foot in the air
  EXPECT_NEAR(*one.feet.position_error(), pose_error(T, desired).head<3>().norm(), 1e-9);
}

TEST(FootPoses, WithoutGainsTheFootIsFreeAndItsErrorIsStillMeasured) {
  const OneFootInTheAir one({});
  EXPECT_FALSE(one.feet.prescribed()[kRight].is_fixed);
  EXPECT_GT(*one.feet.position_error(), 1e-3);
  EXPECT_GT(*one.feet.rotation_error(), 1e-3);
}

TEST(FootPoses, AFootThatLandsIsLeftToItsGround) {
  OneFootInTheAir one(kStiffness);
  for (int i = 0; i < 30; ++i) {
    one.readings.foot_wrench[kRight].force.z() = 100.0;
    one.update();
  }
  EXPECT_FALSE(one.feet.prescribed()[kRight].is_fixed);
  EXPECT_FALSE(one.feet.position_error());
}

}  // namespace
}  // namespace aplomb
