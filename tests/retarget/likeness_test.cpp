#include "aplomb/retarget/likeness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/robot/urdf/urdf.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

/// A person who rises, and a robot that plays its motion.
struct Scene {
  HumanTrial trial = test::demonstrated_trial("natural");
  HumanPath clip = human_path(trial, 0);

  Trajectory played(int every = 1) const {
    Trajectory trajectory{.rate_hz = trial.motion.rate_hz / every};
    const auto first = static_cast<Eigen::Index>(std::lround(clip.start_s * trial.motion.rate_hz));
    trajectory.q.resize(trial.motion.q.rows(), (clip.num_frames() - 1) / every + 1);
    for (Eigen::Index i = 0; i < trajectory.q.cols(); ++i) {
      trajectory.q.col(i) = trial.motion.q.col(first + every * i);
    }
    return trajectory;
  }
};

void turn(Trajectory& trajectory, const RobotModel& robot, const std::string& joint, double angle) {
  trajectory.q.row(7 + robot.joint(joint)).array() += angle;
}

void expect_zero(const Likeness::Errors& errors) {
  EXPECT_GT(errors.num_samples, 0);
  EXPECT_LT(errors.trunk_rms.value(), 1e-9);
  EXPECT_LT(errors.leg_rms.value(), 1e-9);
  EXPECT_LT(errors.arm_rms.value(), 1e-9);
  EXPECT_EQ(errors.hands_side_ratio.value(), 1.0);
}

TEST(Likeness, OfAPersonWithItselfIsPerfectInEveryPhase) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  for (const int every : {1, 2}) {
    const Likeness found = likeness(scene.trial, scene.clip, robot, scene.played(every));
    for (const Likeness::Errors* part : {&found.whole, &found.seated, &found.rising, &found.standing}) {
      expect_zero(*part);
    }
    EXPECT_EQ(found.whole.num_samples,
              found.seated.num_samples + found.rising.num_samples + found.standing.num_samples);
    EXPECT_LT(found.trunk_end, 1e-2);  // the last sample is up to a frame before the clip's end
  }
}

TEST(Likeness, DoesNotDependOnProportions) {
  const Scene scene;
  Skeleton longer = scene.trial.subject.skeleton;
  const std::pair<const char*, double> scales[] = {{"shank", 1.3}, {"foot", 0.8}, {"forearm", 1.4}, {"hand", 0.7}};
  for (const std::string side : {"left_", "right_"}) {
    for (const auto& [name, scale] : scales) {
      longer.segments[static_cast<std::size_t>(longer.segment(side + name))].joint *= scale;
    }
  }
  // The same angles on another body: directions of segments are the same, places of joints are not.
  expect_zero(likeness(scene.trial, scene.clip, human_robot(longer), scene.played()).whole);
}

TEST(Likeness, OfATurnedJointIsItsAngle) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  Trajectory knees = scene.played(), elbow = scene.played(), shoulders = scene.played(), trunk = scene.played();
  turn(knees, robot, "left_knee_flexion", 0.1);
  turn(knees, robot, "right_knee_flexion", 0.1);
  const Likeness of_knees = likeness(scene.trial, scene.clip, robot, knees);
  // Of six angles of the legs two are off, by 0.1 rad but for the tilt of the knee's axis out of the sagittal plane.
  EXPECT_NEAR(of_knees.whole.leg_rms.value(), 0.1 * std::sqrt(2.0 / 6.0), 2e-3);
  EXPECT_LT(of_knees.whole.trunk_rms.value(), 1e-9);
  EXPECT_LT(of_knees.whole.arm_rms.value(), 1e-9);

  turn(elbow, robot, "left_elbow_flexion", 0.2);
  EXPECT_NEAR(likeness(scene.trial, scene.clip, robot, elbow).whole.arm_rms.value(), 0.2 * std::sqrt(1.0 / 4.0), 1e-9);

  for (const char* side : {"left_", "right_"}) turn(shoulders, robot, std::string(side) + "shoulder_flexion", -0.3);
  EXPECT_NEAR(likeness(scene.trial, scene.clip, robot, shoulders).whole.arm_rms.value(), 0.3 * std::sqrt(2.0 / 4.0),
              0.01);

  // The whole body turned about the lateral axis: the trunk's pitch changes, angles between segments do not.
  const Eigen::Quaterniond pitch(Eigen::AngleAxisd(0.15, Eigen::Vector3d::UnitY()));
  for (Eigen::Index i = 0; i < trunk.q.cols(); ++i) {
    const Eigen::Quaterniond base(Eigen::Vector4d(trunk.q.col(i).segment<4>(3)));
    trunk.q.col(i).segment<4>(3) = (pitch * base).coeffs();
  }
  const Likeness pitched = likeness(scene.trial, scene.clip, robot, trunk);
  // The hips are not quite level: pitched, the line through them turns by a fraction of a degree.
  EXPECT_NEAR(pitched.whole.trunk_rms.value(), 0.15, 1e-3);
  EXPECT_NEAR(pitched.trunk_end, 0.15, 1e-3);
  EXPECT_LT(pitched.whole.leg_rms.value(), 1e-3);
  for (const double error : pitched.trunk_error) EXPECT_NEAR(error, 0.15, 2e-3);
}

TEST(Likeness, DoesNotDependOnWhereTheRobotFaces) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  Trajectory turned = scene.played();
  const Eigen::Quaterniond yaw(Eigen::AngleAxisd(2.5, Eigen::Vector3d::UnitZ()));
  for (Eigen::Index i = 0; i < turned.q.cols(); ++i) {
    const Eigen::Quaterniond base(Eigen::Vector4d(turned.q.col(i).segment<4>(3)));
    turned.q.col(i).segment<4>(3) = (yaw * base).coeffs();
  }
  expect_zero(likeness(scene.trial, scene.clip, robot, turned).whole);
}

/// Left knee and left elbow, turned by an angle in flexion.
class EveryRobot : public testing::TestWithParam<const char*> {};

TEST_P(EveryRobot, HasTheAnglesOfItsLimbs) {
  std::optional<RobotModel> robot;
  try {
    robot = RobotModel::load(GetParam());
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Limbs limbs = find_limbs(*robot);
  LimbAngleReader reader(*robot);
  const Eigen::VectorXd upright = robot->neutral_state().q;
  Eigen::VectorXd bent = upright;
  bent[7 + limbs.legs[0].knee] += 0.7 * limbs.legs[0].knee_sign;
  const LimbAngles before = reader.at(upright), after = reader.at(bent);
  EXPECT_NEAR(before.trunk, 0.0, 0.05);
  for (std::size_t side = 0; side < 2; ++side) {
    EXPECT_NEAR(before.knee[side], 0.0, 0.01);
    EXPECT_NEAR(before.ankle[side], 0.0, 0.01);
    EXPECT_NEAR(before.elbow[side], before.elbow[1 - side], 0.01);
    EXPECT_NEAR(before.shoulder[side], before.shoulder[1 - side], 0.01);
    EXPECT_NEAR(before.hand_forward[side], before.hand_forward[1 - side], 0.01);
  }
  EXPECT_NEAR(after.knee[0] - before.knee[0], 0.7, 0.01);
  EXPECT_NEAR(after.knee[1], before.knee[1], 1e-9);
  EXPECT_NEAR(after.ankle[0], before.ankle[0], 0.01);
  EXPECT_NEAR(after.hip[0], before.hip[0], 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Likeness, EveryRobot,
                         testing::Values("sarcos_real", "talos", "g1", "coman", "icub", "hoap3", "romeo"));

TEST(Likeness, TellsHandsBehindTheTrunkFromHandsInFront) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  Trajectory behind = scene.played();
  for (const char* side : {"left_", "right_"}) turn(behind, robot, std::string(side) + "shoulder_flexion", -1.3);
  EXPECT_EQ(likeness(scene.trial, scene.clip, robot, behind).whole.hands_side_ratio.value(), 0.0);
}

TEST(Likeness, ComparesTheSameMomentsOfAPlanThatWaitsAndIsSlower) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  const Trajectory plain = scene.played();
  // 0.2 s of rest, then each frame twice as long, then 0.1 s of rest.
  Trajectory slow{.rate_hz = plain.rate_hz};
  const Eigen::Index rest = 20, last = plain.num_samples() - 1;
  slow.q.resize(plain.q.rows(), rest + 2 * last + 1 + 10);
  for (Eigen::Index i = 0; i < slow.q.cols(); ++i) {
    slow.q.col(i) = plain.q.col(std::clamp<Eigen::Index>((i - rest) / 2, 0, last));
  }
  const Likeness found = likeness(scene.trial, scene.clip, robot, slow, {.offset_s = 0.2, .slowdown = 2.0});
  EXPECT_EQ(found.whole.num_samples, 2 * last + 1);
  EXPECT_LT(found.whole.trunk_rms.value(), 0.005);  // half a frame, at up to 2 rad/s
  EXPECT_LT(found.trunk_end, 1e-9);
}

TEST(Likeness, OfARobotWithoutArmsIsThatOfTrunkAndLegs) {
  const Scene scene;
  const Skeleton& skeleton = scene.trial.subject.skeleton;
  RobotDescription description = human_robot(skeleton).description();
  description.roles.hand = {"", ""};
  const RobotModel robot(parse_urdf(skeleton_urdf(skeleton, /*has_mimics=*/false), "human.urdf"), description);
  const Likeness found = likeness(scene.trial, scene.clip, robot, scene.played());
  EXPECT_LT(found.whole.trunk_rms.value(), 1e-9);
  EXPECT_LT(found.whole.leg_rms.value(), 1e-9);
  EXPECT_FALSE(found.whole.arm_rms || found.whole.hands_side_ratio);
  Metrics metrics;
  set_likeness_metrics(found, metrics);
  EXPECT_TRUE(metrics.number("trunk_angle_error_rms_rad"));
  EXPECT_TRUE(metrics.find("arm_angle_error_rms_rad") != nullptr && !metrics.number("arm_angle_error_rms_rad"));
}

TEST(Likeness, RefusesATrajectoryOfAnotherRobot) {
  const Scene scene;
  const RobotModel robot = human_robot(scene.trial.subject.skeleton);
  Trajectory other = scene.played();
  other.q.conservativeResize(other.q.rows() - 1, other.q.cols());
  EXPECT_THROW(likeness(scene.trial, scene.clip, robot, other), InvalidValue);
  EXPECT_THROW(likeness(scene.trial, scene.clip, robot, {}), InvalidValue);
}

}  // namespace
}  // namespace aplomb
