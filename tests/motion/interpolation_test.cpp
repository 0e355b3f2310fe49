#include "aplomb/motion/interpolation.hpp"

#include <gtest/gtest.h>

#include "aplomb/robot/configuration.hpp"
#include "motion/spline_plan.hpp"

namespace aplomb {
namespace {

struct Instant {
  Eigen::VectorXd q, v, a;
};

Instant at(const Trajectory& trajectory, Eigen::Index sample, double u) {
  Instant now{Eigen::VectorXd(trajectory.q.rows()), Eigen::VectorXd(trajectory.v.rows()),
              Eigen::VectorXd(trajectory.v.rows())};
  interpolate_motion(trajectory, sample, u, now.q, now.v, now.a);
  return now;
}

/// Some rows of v and a of the interpolant against central differences of q and v, at some instants of intervals.
void expect_derivatives(const Trajectory& trajectory, Eigen::Index first, Eigen::Index rows) {
  constexpr double kStep = 1e-4;  // fraction of an interval
  const double dt = kStep / trajectory.rate_hz;
  for (Eigen::Index sample = 0; sample + 1 < trajectory.num_samples(); sample += 3) {
    for (const double u : {0.1, 0.37, 0.5, 0.82}) {
      const Instant now = at(trajectory, sample, u), before = at(trajectory, sample, u - kStep),
                    after = at(trajectory, sample, u + kStep);
      const Eigen::VectorXd v = difference(before.q, after.q, DifferenceFrame::midpoint) / (2.0 * dt);
      const Eigen::VectorXd a = (after.v - before.v) / (2.0 * dt);
      EXPECT_LT((v - now.v).segment(first, rows).lpNorm<Eigen::Infinity>(), 1e-7 * (1.0 + now.v.norm()))
          << sample << " " << u;
      EXPECT_LT((a - now.a).segment(first, rows).lpNorm<Eigen::Infinity>(), 1e-6 * (1.0 + now.a.norm()))
          << sample << " " << u;
    }
  }
}

TEST(Interpolation, RatesAndAccelerationsAreDerivativesBetweenSamples) {
  const RobotModel robot = RobotModel::load("hoap3");
  expect_derivatives(test::spline_plan(robot, 100.0, test::half_sitting_motion(robot, 20.0)).trajectory, 0, robot.nv());
}

TEST(Interpolation, SamplesThatContradictEachOtherAreAllMetWithoutOvershoot) {
  const RobotModel robot = RobotModel::load("hoap3");
  MotionPlan plan = test::spline_plan(robot, 20.0, test::half_sitting_motion(robot, 5.0));
  Trajectory& t = plan.trajectory;
  t.v *= 1.3;  // 1.3 times the motion's rates, and other accelerations
  t.a *= -0.5;
  for (Eigen::Index i = 0; i + 1 < t.num_samples(); ++i) {
    for (const Eigen::Index end : {0, 1}) {
      const Instant now = at(t, i, static_cast<double>(end));
      EXPECT_LT(difference(now.q, t.q.col(i + end), DifferenceFrame::first).norm(), 1e-12) << i;
      EXPECT_LT((now.v - t.v.col(i + end)).norm(), 1e-11 * t.v.col(i).norm()) << i;
      EXPECT_LT((now.a - t.a.col(i + end)).norm(), 1e-11 * t.a.col(i).norm()) << i;
    }
    const Eigen::Index joints = robot.num_joints();
    const Eigen::VectorXd low = t.a.col(i).cwiseMin(t.a.col(i + 1)), high = t.a.col(i).cwiseMax(t.a.col(i + 1));
    for (const double u : {0.2, 0.5, 0.9}) {
      const Instant now = at(t, i, u);
      EXPECT_GE((now.a - low).tail(joints).minCoeff(), -1e-12) << i;
      EXPECT_LE((now.a - high).tail(joints).maxCoeff(), 1e-12) << i;
    }
  }
}

TEST(Interpolation, TheContradictionOfSamplesIsAnAcceleration) {
  // x = t³ at 0 and at 0.1 s.
  EXPECT_NEAR(CubicPiece(0.0, 0.0, 0.0, 1e-3, 3e-2, 0.6, 0.1).contradiction(), 0.0, 1e-12);
  EXPECT_NEAR(CubicPiece(0.0, 0.0, 0.2, 1e-3, 3e-2, 0.6, 0.1).contradiction(), 0.2, 1e-12);
}

TEST(Interpolation, ACubicInFlatCoordinatesIsReproduced) {
  const RobotModel robot = RobotModel::load("hoap3");
  const test::FlatCubic motion = test::half_sitting_motion(robot, 20.0);
  const Trajectory t = test::spline_plan(robot, 100.0, motion).trajectory;
  for (Eigen::Index sample = 0; sample + 1 < t.num_samples(); ++sample) {
    for (const double u : {0.25, 0.5, 0.75}) {
      const double s = (static_cast<double>(sample) + u) / t.rate_hz;
      const Eigen::VectorXd x = motion.at(s, 0), rate = motion.at(s, 1), bend = motion.at(s, 2);
      const Instant now = at(t, sample, u);
      EXPECT_LT(difference(configuration_of(x), now.q, DifferenceFrame::first).norm(), 1e-12) << s;
      EXPECT_LT((velocity_of(x, rate) - now.v).norm(), 1e-9) << s;
      EXPECT_LT((acceleration_of(x, rate, bend) - now.a).norm(), 1e-7) << s;
    }
  }
}

TEST(Interpolation, BothSignsOfAQuaternionAreTheSameOrientation) {
  const RobotModel robot = RobotModel::load("hoap3");
  const Trajectory t = test::spline_plan(robot, 100.0, test::half_sitting_motion(robot, 20.0)).trajectory;
  Trajectory flipped = t;
  for (Eigen::Index i = 1; i < t.num_samples(); i += 2) flipped.q.col(i).segment<4>(3) *= -1.0;
  for (Eigen::Index i = 0; i + 1 < t.num_samples(); ++i) {
    const Instant now = at(t, i, 0.4), other = at(flipped, i, 0.4);
    EXPECT_LT(difference(now.q, other.q, DifferenceFrame::first).norm(), 1e-12) << i;
    EXPECT_LT((now.a - other.a).norm(), 1e-9) << i;
  }
}

/// The first samples of the same motion with the base pitched forward by nearly 90 degrees: at least 80 degrees.
Trajectory lying_trajectory(const RobotModel& robot, double rate_hz) {
  test::FlatCubic motion = test::half_sitting_motion(robot, 5.0);
  motion.start[4] = 1.5;
  Trajectory t = test::spline_plan(robot, rate_hz, motion).trajectory;
  const auto count = static_cast<Eigen::Index>(0.07 * rate_hz) + 1;
  t.q.conservativeResize(Eigen::NoChange, count);
  t.v.conservativeResize(Eigen::NoChange, count);
  t.a.conservativeResize(Eigen::NoChange, count);
  return t;
}

TEST(Interpolation, NearTheSingularityOfYawAndRollTheDerivativesHold) {
  const RobotModel robot = RobotModel::load("hoap3");
  expect_derivatives(lying_trajectory(robot, 100.0), 0, robot.nv());
  Trajectory t = lying_trajectory(robot, 50.0);
  t.v.middleRows<3>(3) *= 4.0;  // samples that contradict each other, and turns that need more than the series
  expect_derivatives(t, 3, 3);
}

TEST(Interpolation, TheOrientationNearTheSingularityDiffersWithTheSixthPowerOfTheInterval) {
  // The motion is a cubic in yaw, pitch and roll; the rotation vector that is used there only agrees at the samples.
  const RobotModel robot = RobotModel::load("hoap3");
  test::FlatCubic motion = test::half_sitting_motion(robot, 5.0);
  motion.start[4] = 1.5;
  const auto error = [&](double rate_hz) {
    const Trajectory t = lying_trajectory(robot, rate_hz);
    const Eigen::VectorXd x = motion.at(0.5 / rate_hz, 0);
    return difference(configuration_of(x), at(t, 0, 0.5).q, DifferenceFrame::first).segment<3>(3).norm();
  };
  ASSERT_GT(error(50.0), 1e-12);
  EXPECT_GT(error(50.0) / error(100.0), 40.0);
  EXPECT_LT(error(100.0), 1e-9);
}

}  // namespace
}  // namespace aplomb
