#include "aplomb/human/fit/marker_fit.hpp"

#include <gtest/gtest.h>

#include "aplomb/human/fit/skin_drift.hpp"
#include "aplomb/robot/configuration.hpp"
#include "human/synthetic_subject.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

TEST(MarkerFit, RecoversThePostureOfTheMarkers) {
  const test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.8, 3, 0.0, 60);
  const RobotModel robot = body.robot();
  const MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  // Without pulls (but for lumbar and thorax, which move alike here) the markers decide alone, to the single precision
  // that recordings have.
  MarkerFit fit(body.subject, robot,
                {.observed_pull = 1e-10, .neutral_pull = 0.0, .spine_pull = 0.0, .minor_pull = 0.0});
  Eigen::VectorXd q = body.motion.q.col(0);
  q.tail(robot.num_joints()).array() += 0.05;
  for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
    EXPECT_TRUE(fit.fit(track.frame(frame), q).converged);
    EXPECT_LT((q - body.motion.q.col(static_cast<Eigen::Index>(frame))).cwiseAbs().maxCoeff(), 2e-4) << frame;
  }
}

TEST(MarkerFit, EndsAtALocalMinimum) {
  // First-order optimality by central differences, also at a limit, where only the move inwards is allowed.
  const test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 4, 0.004, 20);
  const RobotModel robot = body.robot();
  const MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  const MarkerFit::Settings settings{.tolerance = 1e-10};
  MarkerFit fit(body.subject, robot, settings);
  Eigen::VectorXd q = body.motion.q.col(7);
  // Repeated until start and answer are the same, so that the pull to the start is spent.
  for (int i = 0; i < 40; ++i) fit.fit(track.frame(7), q);
  MarkerFit judge(body.subject, robot, {.tolerance = 1e-10, .most_iterations = 0});
  const double here = judge.fit(track.frame(7), q).cost;
  for (int column = 0; column < robot.nv(); ++column) {
    for (const double step : {1e-4, -1e-4}) {
      Eigen::VectorXd delta = Eigen::VectorXd::Zero(robot.nv()), moved = q;
      delta[column] = step;
      integrate_in_world(delta, moved);
      if (column >= 6) {
        const Joint& joint = robot.joints()[static_cast<std::size_t>(column - 6)];
        if (moved[column + 1] < joint.lower || moved[column + 1] > joint.upper) continue;
      }
      EXPECT_GE(judge.fit(track.frame(7), moved).cost, here - 1e-13) << column;
    }
  }
}

TEST(MarkerFit, KeepsTheLimitsOfTheJoints) {
  test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 5, 0.02, 40);
  const RobotModel robot = body.robot();
  const MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  const MotionFit fit = fit_motion(body.subject, robot, track);
  for (Eigen::Index frame = 0; frame < fit.motion.num_frames(); ++frame) {
    for (int i = 0; i < robot.num_joints(); ++i) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
      EXPECT_GE(fit.motion.q(7 + i, frame), joint.lower - 1e-12) << joint.name;
      EXPECT_LE(fit.motion.q(7 + i, frame), joint.upper + 1e-12) << joint.name;
    }
  }
}

TEST(MarkerFit, DoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  const test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 6, 0.002, 30);
  const RobotModel robot = body.robot();
  const MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  MarkerFit fit(body.subject, robot, {});
  Eigen::VectorXd q = body.motion.q.col(0);
  fit.fit(track.frame(0), q);
  const test::AllocationCount allocations;
  for (std::size_t frame = 1; frame < 30; ++frame) fit.fit(track.frame(frame), q);
  EXPECT_EQ(allocations.since_start(), 0U);
}

TEST(MotionFit, KeepsThePostureThroughAGapAndOfAFootLostForGood) {
  test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 8, 0.001, 120);
  const RobotModel robot = body.robot();
  MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  const MotionFit whole = fit_motion(body.subject, robot, track);
  for (std::size_t frame = 40; frame < 60; ++frame) {
    for (std::size_t i = 0; i < track.num_markers; ++i) {
      const std::string& segment =
          body.subject.skeleton.segments[static_cast<std::size_t>(body.subject.markers[i].segment)].name;
      if (segment == "left_foot") track.positions[frame * track.num_markers + i].setConstant(std::nan(""));
    }
  }
  const MotionFit fit = fit_motion(body.subject, robot, track);
  EXPECT_EQ(fit.unconverged_frames, 0U);
  const int ankle = robot.joint("left_ankle_dorsiflexion");
  for (Eigen::Index frame = 40; frame < 60; ++frame) {
    EXPECT_LT(std::abs(fit.motion.q(7 + ankle, frame) - whole.motion.q(7 + ankle, frame)), 0.15);
  }
  EXPECT_LT((fit.motion.q.col(80) - whole.motion.q.col(80)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SkinDrift, HoldsThePostureWhileADriftedMarkerIsMissing) {
  // Skin has carried a pelvis marker by 2 cm; when it is lost, the others know nothing of that.
  test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 9, 0.0, 150);
  const RobotModel robot = body.robot();
  MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  const std::size_t marker = body.points.index("LASI");
  for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
    track.positions[frame * track.num_markers + marker] += Eigen::Vector3d(0.0, 0.02, 0.0);
  }
  const MotionFit whole = fit_motion(body.subject, robot, track);
  for (std::size_t frame = 60; frame < 90; ++frame) {
    track.positions[frame * track.num_markers + marker].setConstant(std::nan(""));
  }
  const MotionFit holed = fit_motion(body.subject, robot, track);
  TreeKinematics tree(robot), holed_tree(robot);
  double step = 0.0;
  for (Eigen::Index frame = 55; frame < 95; ++frame) {
    tree.update(whole.motion.q.col(frame));
    holed_tree.update(holed.motion.q.col(frame));
    step = std::max(step, (tree.com() - holed_tree.com()).norm());
  }
  EXPECT_LT(step, 3e-4);  // 1.6 mm without the drift
}

TEST(SkinDrift, GoesWithTheJointsThroughAGap) {
  // Skin carries a pelvis marker as the hip flexes; it is lost for 0.8 s about the deepest of
  // the second bend.
  test::SyntheticSubject body(test::set_named("plug_in_gait"), 1.7, 9, 0.0, 600);
  const RobotModel robot = body.robot();
  MarkerTrack track = track_markers(body.points, body.subject, Eigen::Matrix3d::Identity());
  const std::size_t marker = body.points.index("LASI");
  const int hip = 7 + robot.joint("left_hip_flexion");
  for (std::size_t frame = 0; frame < track.num_frames(); ++frame) {
    const double flexion = body.motion.q(hip, static_cast<Eigen::Index>(frame));
    track.positions[frame * track.num_markers + marker] += Eigen::Vector3d(0.0, 0.015 * flexion, 0.0);
  }
  const MotionFit whole = fit_motion(body.subject, robot, track);
  track.positions[marker].setConstant(std::nan(""));  // so that the drift is wanted
  const SkinDrift clean(body.subject, robot, track, whole);
  for (std::size_t frame = 410; frame < 490; ++frame) {
    track.positions[frame * track.num_markers + marker].setConstant(std::nan(""));
  }
  const SkinDrift holed(body.subject, robot, track, whole);
  double worst = 0.0;
  for (std::size_t frame = 410; frame < 490; ++frame) {
    worst = std::max(worst, (holed.at(frame, marker) - clean.at(frame, marker)).norm());
  }
  EXPECT_LT(worst, 1.2e-3);  // 3.3 mm as a line from end to end
}

TEST(Gaps, FadeAMarkerOutAndIn) {
  MarkerTrack track{.rate_hz = 100.0, .num_markers = 1};
  track.positions.assign(100, Eigen::Vector3d::Zero());
  for (std::size_t frame = 40; frame < 50; ++frame) track.positions[frame].setConstant(std::nan(""));
  fade_at_gaps(track);
  EXPECT_EQ(track.trust[0], 1.0F);  // a recording's end is no gap
  EXPECT_EQ(track.trust[45], 0.0F);
  for (std::size_t frame = 1; frame < 100; ++frame) {
    EXPECT_LT(std::abs(track.trust[frame] - track.trust[frame - 1]), 0.11F) << frame;
  }
}

}  // namespace
}  // namespace aplomb
