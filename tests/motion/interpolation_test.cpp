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

/// v and a of the interpolant against central differences of q and v, at some instants of some intervals.
void expect_derivatives(const Trajectory& trajectory) {
  constexpr double kStep = 1e-4;  // fraction of an interval
  const double dt = kStep / trajectory.rate_hz;
  for (Eigen::Index sample = 0; sample + 1 < trajectory.num_samples(); sample += 3) {
    for (const double u : {0.1, 0.37, 0.5, 0.82}) {
      const Instant now = at(trajectory, sample, u), before = at(trajectory, sample, u - kStep),
                    after = at(trajectory, sample, u + kStep);
      const Eigen::VectorXd v = difference(before.q, after.q, DifferenceFrame::midpoint) / (2.0 * dt);
      const Eigen::VectorXd a = (after.v - before.v) / (2.0 * dt);
      EXPECT_LT((v - now.v).lpNorm<Eigen::Infinity>(), 1e-7 * (1.0 + now.v.norm())) << sample << " " << u;
      EXPECT_LT((a - now.a).lpNorm<Eigen::Infinity>(), 1e-6 * (1.0 + now.a.norm())) << sample << " " << u;
    }
  }
}

TEST(Interpolation, RatesAndAccelerationsAreDerivativesBetweenSamples) {
  const RobotModel robot = RobotModel::load("hoap3");
  expect_derivatives(test::spline_plan(robot, 100.0, test::half_sitting_motion(robot, 20.0)).trajectory);
}

TEST(Interpolation, IsOneFunctionEvenWhereTheSamplesContradictEachOther) {
  const RobotModel robot = RobotModel::load("hoap3");
  MotionPlan plan = test::spline_plan(robot, 20.0, test::half_sitting_motion(robot, 5.0));
  Trajectory& t = plan.trajectory;
  t.v *= 1.3;  // 1.3 times the motion's rates, and other accelerations
  t.a *= -0.5;
  expect_derivatives(t);
  for (Eigen::Index i = 1; i + 1 < t.num_samples(); ++i) {
    const Instant left = at(t, i - 1, 1.0), right = at(t, i, 0.0);
    EXPECT_LT(difference(left.q, right.q, DifferenceFrame::first).norm(), 1e-12) << i;
    EXPECT_LT((left.v - t.v.col(i)).norm() + (right.v - t.v.col(i)).norm(), 1e-11 * t.v.col(i).norm()) << i;
    EXPECT_LT((left.a - t.a.col(i)).norm() + (right.a - t.a.col(i)).norm(), 1e-11 * t.a.col(i).norm()) << i;
  }
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
      // Joints and position are the cubic. The base's rotation vector and its yaw, pitch and roll agree at the samples
      // with two derivatives; what lies between differs with the sixth power of the interval.
      EXPECT_LT(difference(configuration_of(x), now.q, DifferenceFrame::first).norm(), 1e-9) << s;
      EXPECT_LT((velocity_of(x, rate) - now.v).norm(), 1e-6) << s;
      EXPECT_LT((acceleration_of(x, rate, bend) - now.a).norm(), 1e-3) << s;
      EXPECT_LT((acceleration_of(x, rate, bend) - now.a).tail(robot.num_joints()).norm(), 1e-8) << s;
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

TEST(Interpolation, LargeTurnsBetweenSamplesHaveTheirDerivatives) {
  const RobotModel robot = RobotModel::load("hoap3");
  Trajectory t = test::spline_plan(robot, 10.0, test::half_sitting_motion(robot, 5.0)).trajectory;
  t.v.middleRows<3>(3) *= 8.0;  // turns of more than 0.1 rad on the way: the closed forms, not the series
  expect_derivatives(t);
}

}  // namespace
}  // namespace aplomb
