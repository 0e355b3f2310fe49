#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/estimate/base_estimator.hpp"
#include "aplomb/estimate/contact_filter.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

using Covariance = ContactFilter::Covariance;
using ErrorVector = ContactFilter::ErrorVector;
using State = ContactFilter::State;
constexpr int kSize = 27;  // two points, both of which may move
constexpr std::array<double, 2> kStill = {0.0, 0.0};

State some_state() {
  State state;
  state.R_world_imu = Eigen::Quaterniond(rotation_by({0.3, -0.5, 0.8}));
  state.velocity = {0.4, -0.2, 0.7};
  state.position = {1.0, 2.0, 0.9};
  state.contact[0] = {1.1, 2.3, 0.05};
  state.contact[1] = {0.9, 1.7, -0.02};
  state.contact_velocity[0] = {0.3, -0.1, 0.05};
  state.contact_velocity[1] = {-0.2, 0.4, 0.1};
  return state;
}

ContactFilter started(const State& state, const Covariance& covariance) {
  ContactFilter filter(2, {}, 2);
  filter.start(state, covariance);
  return filter;
}

ContactFilter after_step(const State& state, const Covariance& covariance, const Eigen::Vector3d& angular_velocity,
                         const Eigen::Vector3d& specific_force, double dt) {
  ContactFilter filter = started(state, covariance);
  filter.propagate(angular_velocity, specific_force, dt, kStill, kStill);
  return filter;
}

TEST(MovingContacts, LargeErrorsPropagateLinearly) {
  const double dt = 0.05;
  ErrorVector error = ErrorVector::Zero(kSize);
  error.head<21>() << 0.8, -0.5, 0.6, 1.0, -2.0, 0.5, 0.3, 0.4, -0.7, 1.0, 0.2, -0.4, 0.3, 0.6, 0.9, 0.7, -0.3, 0.2,
      -0.5, 0.4, 0.1;
  Eigen::MatrixXd F = Eigen::MatrixXd::Identity(kSize, kSize);
  Eigen::Matrix3d gravity_cross;
  gravity_cross << 0, kGravity, 0, -kGravity, 0, 0, 0, 0, 0;
  F.block<3, 3>(3, 0) = gravity_cross * dt;
  F.block<3, 3>(6, 0) = 0.5 * gravity_cross * dt * dt;
  F.block<3, 3>(6, 3) = Eigen::Matrix3d::Identity() * dt;
  F.block<6, 6>(9, 15) = Eigen::MatrixXd::Identity(6, 6) * dt;
  const State truth = some_state();
  State guess = truth;
  ContactFilter::retract(error, 2, guess, 2);
  const Eigen::Vector3d turning(3.0, -2.0, 4.0), force(4.0, -7.0, 2.0);
  const ContactFilter estimate = after_step(guess, Covariance::Zero(kSize, kSize), turning, force, dt);
  const ContactFilter real = after_step(truth, Covariance::Zero(kSize, kSize), turning, force, dt);
  EXPECT_LT((estimate.error_against(real.state()) - F * error).norm(), 1e-12);
}

TEST(MovingContacts, CovarianceIsCarriedByTheDerivativesOfTheStep) {
  const double dt = 1e-3, width = 1e-6;
  const Eigen::Vector3d turning(0.8, -1.5, 0.6), force(2.0, -1.0, 11.0);
  State truth = some_state();
  truth.gyroscope_bias = {0.01, -0.02, 0.03};
  truth.accelerometer_bias = {0.1, 0.2, -0.1};
  const ContactFilter real = after_step(truth, Covariance::Zero(kSize, kSize), turning, force, dt);
  Eigen::MatrixXd numeric(kSize, kSize);
  for (int i = 0; i < kSize; ++i) {
    ErrorVector error = ErrorVector::Zero(kSize);
    error[i] = width;
    State above = truth, below = truth;
    ContactFilter::retract(error, 2, above, 2);
    ContactFilter::retract(-error, 2, below, 2);
    const auto end = [&](const State& from) {
      return Eigen::VectorXd(
          after_step(from, Covariance::Zero(kSize, kSize), turning, force, dt).error_against(real.state()));
    };
    numeric.col(i) = (end(above) - end(below)) / (2.0 * width);
  }
  const Eigen::MatrixXd root = Eigen::MatrixXd::Random(kSize, kSize);
  const Eigen::MatrixXd before = root * root.transpose();
  const Eigen::MatrixXd after = after_step(truth, before, turning, force, dt).covariance();
  // The terms left out are of the order angle × dt²: 2 mrad × 1e-6 s².
  EXPECT_LT((after - numeric * before * numeric.transpose()).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(MovingContacts, RestIsAMeasurementLikeAnyOther) {
  // The correction of a linear Gaussian estimate, written with dense matrices.
  const Eigen::MatrixXd root = 0.01 * Eigen::MatrixXd::Random(kSize, kSize);
  const Eigen::MatrixXd before = root * root.transpose();
  State guess = some_state();
  guess.contact_velocity[1] = {1e-4, -2e-4, 3e-4};
  ContactFilter filter = started(guess, before);
  ASSERT_TRUE(filter.correct_at_rest(1, 0.02));
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3, kSize);
  H.middleCols<3>(18).setIdentity();
  const Eigen::Matrix3d S = H * before * H.transpose() + 4e-4 * Eigen::Matrix3d::Identity();
  const Eigen::MatrixXd K = before * H.transpose() * S.inverse();
  EXPECT_LT((filter.covariance() - (before - K * H * before)).norm(), 1e-14);
  State expected = guess;
  ContactFilter::retract(-K * guess.contact_velocity[1], 2, expected, 2);
  EXPECT_LT(filter.error_against(expected).norm(), 1e-12);
  EXPECT_FALSE(filter.correct_at_rest(1, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(filter.is_finite());
}

/// A robot that stands still on a platform that moves with it, and the readings of its sensors.
class RidingRobot : public testing::Test {
 protected:
  RobotModel robot_ = RobotModel::load("balancer");
  RobotState state_ = robot_.posture("half_sitting");
  BaseEstimator estimator_{
      robot_,
      {.imu = {.gyroscope = 1e-4, .accelerometer = 1e-3, .gyroscope_bias = 5e-6, .accelerometer_bias = 3e-5}},
      state_};
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;

  Eigen::Vector3d noise(double sigma) {
    return sigma * Eigen::Vector3d(normal_(random_), normal_(random_), normal_(random_));
  }
  /// One tick on ground with this acceleration.
  void ride(const Eigen::Vector3d& acceleration) {
    SensorReadings readings;
    readings.state = state_;
    const FrameId frames[] = {robot_.frame(robot_.description().roles.foot[kLeft]),
                              robot_.frame(robot_.description().roles.foot[kRight])};
    RobotTerms terms(robot_, frames);
    terms.update(state_);
    const Eigen::Vector3d force = acceleration + Eigen::Vector3d(0.0, 0.0, kGravity);
    readings.imu_acceleration = base_orientation(state_.q).conjugate() * force + noise(0.03);
    readings.imu_angular_velocity = Eigen::Vector3d(0.004, -0.006, 0.003) + noise(0.003);
    for (int side : {kLeft, kRight}) {
      const Eigen::Matrix3d R = terms.frame(frames[side]).T_world_frame.linear();
      readings.foot_acceleration[side] = R.transpose() * force + Eigen::Vector3d(0.02, -0.03, 0.01) + noise(0.03);
      readings.foot_angular_velocity[side] = Eigen::Vector3d(-0.008, 0.002, 0.005) + noise(0.003);
      readings.ankle_wrench[side].force = R.transpose() * (0.5 * robot_.mass() * force);
    }
    estimator_.update(readings);
  }
  Eigen::Vector3d over_feet() const {
    return estimator_.imu_now().velocity -
           0.5 * (estimator_.foot_motion()[kLeft].velocity + estimator_.foot_motion()[kRight].velocity);
  }
  double tilt_error() const {
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    const Eigen::Quaterniond R_imu = base_orientation(state_.q) * Eigen::Quaterniond(estimator_.T_base_imu().linear());
    return std::acos(std::min(1.0, (estimator_.imu_now().R_world_imu.conjugate() * up).dot(R_imu.conjugate() * up)));
  }
};

TEST_F(RidingRobot, KnowsItsVelocityOverTheFeetOnAPlatformThatSways) {
  // 10 cm at 2 s, from rest and to rest after five periods: the mean velocity is -0.31 m/s, which nothing observes.
  const double omega = std::numbers::pi, amplitude = 0.1;
  for (int i = 0; i < 1000; ++i) ride(Eigen::Vector3d::Zero());
  EXPECT_LT(estimator_.motion_of(kLeft), 1e-3);
  double worst = 0.0, worst_tilt = 0.0, worst_acceleration = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double t = 1e-3 * i;
    const Eigen::Vector3d acceleration(-amplitude * omega * omega * std::sin(omega * t), 0.0, 0.0);
    ride(acceleration);
    if (i < 200) continue;  // until the motion is noticed, the feet count as at rest
    worst = std::max(worst, over_feet().norm());
    worst_tilt = std::max(worst_tilt, tilt_error());
    worst_acceleration =
        std::max(worst_acceleration, (estimator_.foot_motion()[kRight].acceleration - acceleration).norm());
  }
  EXPECT_LT(worst, 0.01);
  // Half a degree. That the mean velocity is zero, as the filter expects, costs a part of it here.
  EXPECT_LT(worst_tilt, 8.7e-3);
  EXPECT_LT(worst_acceleration, 0.15);  // low-passed at 10 Hz: 16 ms late, and the noise of the accelerometer
  EXPECT_EQ(estimator_.num_slips(), 0);
  for (int i = 0; i < 3000; ++i) ride(Eigen::Vector3d::Zero());
  EXPECT_LT(estimator_.motion_of(kLeft), 0.05);
  EXPECT_LT(estimator_.imu_now().velocity.norm(), 5e-3);
}

TEST_F(RidingRobot, NeverAllocatesOnGroundThatMoves) {
  SKIP_UNLESS_COUNTED();
  ContactFilter filter = started(some_state(), 1e-4 * Covariance::Identity(kSize, kSize));
  const test::AllocationCount allocations;
  for (int i = 0; i < 100; ++i) {
    filter.propagate({0.1, 0.2, 0.3}, {0.0, 0.0, kGravity}, 1e-3, kStill, kStill);
    filter.correct_at_rest(0, 0.1);
    filter.loosen(1, 0.1);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
