#include "aplomb/estimate/base_estimator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// A robot that stands, possibly on a slope, and its readings with a little noise.
class StandingRobot : public testing::Test {
 protected:
  RobotModel robot_ = RobotModel::load("talos");
  RobotState state_ = robot_.posture("half_sitting");
  BaseEstimator::Settings settings_ = {
      .imu = {.gyroscope = 1e-4, .accelerometer = 1e-3, .gyroscope_bias = 5e-6, .accelerometer_bias = 3e-5}};
  Eigen::Vector3d accelerometer_bias_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d gyroscope_bias_ = {0.004, -0.006, 0.003};
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;

  void tilt(const Eigen::Vector3d& turn) {
    state_.q.segment<4>(3) = (Eigen::Quaterniond(rotation_by(turn)) * base_orientation(state_.q)).coeffs();
  }
  Eigen::Vector3d noise(double sigma) {
    return sigma * Eigen::Vector3d(normal_(random_), normal_(random_), normal_(random_));
  }

  SensorReadings readings() {
    SensorReadings readings;
    readings.state = robot_.neutral_state();
    readings.state.q.tail(robot_.num_joints()) = state_.q.tail(robot_.num_joints());
    for (Sensor sensor : {Sensor::base_position, Sensor::base_orientation, Sensor::base_velocity,
                          Sensor::base_angular_velocity, Sensor::left_foot_wrench, Sensor::right_foot_wrench}) {
      readings.is_lost[static_cast<std::size_t>(sensor)] = true;
    }
    const Eigen::Vector3d up(0.0, 0.0, kGravity);
    const FrameId frames[] = {robot_.frame(robot_.description().roles.foot[kLeft]),
                              robot_.frame(robot_.description().roles.foot[kRight])};
    RobotTerms terms(robot_, frames);
    terms.update(state_);
    readings.imu_acceleration = base_orientation(state_.q).conjugate() * up + accelerometer_bias_ + noise(0.03);
    readings.imu_angular_velocity = gyroscope_bias_ + noise(0.003);
    for (int side : {kLeft, kRight}) {
      const Eigen::Matrix3d R = terms.frame(frames[side]).T_world_frame.linear();
      readings.foot_acceleration[side] = R.transpose() * up;
      readings.ankle_wrench[side].force = R.transpose() * Eigen::Vector3d(0.0, 0.0, 400.0);
    }
    return readings;
  }
  /// An estimator that has watched the robot for `ticks`.
  BaseEstimator after(int ticks) {
    BaseEstimator estimator(robot_, settings_, robot_.posture("half_sitting"));
    for (int i = 0; i < ticks; ++i) estimator.update(readings());
    return estimator;
  }
  double tilt_error(const BaseEstimator& estimator) const {
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    const Eigen::Quaterniond R_imu = base_orientation(state_.q) * Eigen::Quaterniond(estimator.T_base_imu().linear());
    return std::acos(std::min(1.0, (estimator.imu_now().R_world_imu.conjugate() * up).dot(R_imu.conjugate() * up)));
  }
};

TEST_F(StandingRobot, TiltAndGyroscopeBiasAreFoundAtRest) {
  tilt({0.06, -0.04, 0.0});
  const BaseEstimator estimator = after(1000);
  ASSERT_TRUE(estimator.has_started());
  EXPECT_LT(tilt_error(estimator), 1e-3);
  EXPECT_LT((estimator.filter().state().gyroscope_bias - gyroscope_bias_).norm(), 1e-3);
  EXPECT_LT(estimator.imu_now().velocity.norm(), 2e-3);
  EXPECT_EQ(estimator.num_slips(), 0);
}

TEST_F(StandingRobot, AnAccelerometerBiasIsATiltAndTheCovarianceSaysSo) {
  // At rest the two cannot be told apart: the tilt's standard deviation is that of the mean of three biases over g.
  settings_.accelerometer_bias = 0.03;
  const BaseEstimator estimator = after(2000);
  const double sigma = 0.03 / kGravity / std::sqrt(3.0);
  EXPECT_NEAR(estimator.tilt_sigma(), sigma, 0.05 * sigma);
}

TEST_F(StandingRobot, TheAccelerometersOfTheFeetShareAnErrorOfThePelvis) {
  accelerometer_bias_ = {0.09, 0.0, 0.0};
  EXPECT_NEAR(tilt_error(after(1000)), 0.09 / kGravity / 3.0, 5e-4);
}

TEST_F(StandingRobot, ControllersGetTheStateAndTheGroundReactions) {
  const BaseEstimator estimator = after(500);
  SensorReadings written = readings();
  EXPECT_FALSE(written.has_state());
  estimator.write(written);
  EXPECT_TRUE(written.has_state());
  EXPECT_LT((written.state.q.head<3>() - state_.q.head<3>()).norm(), 2e-3);
  EXPECT_LT((written.state.q - state_.q).norm(), 5e-3);
  // The ankle carries 400 N; the ground also the foot.
  const LinkPlacement& foot =
      robot_.tree().links[static_cast<std::size_t>(robot_.frame(robot_.description().roles.foot[kLeft]))];
  const double weight = robot_.tree().bodies[static_cast<std::size_t>(foot.body)].inertia.mass * kGravity;
  EXPECT_NEAR(written.foot_wrench[kLeft].force.norm(), 400.0 + weight, 1e-6);
  EXPECT_FALSE(written.lost(Sensor::left_foot_wrench));
}

TEST_F(StandingRobot, TrustRisesWithTheLoadWithoutAJump) {
  BaseEstimator estimator = after(300);
  double last = -1.0;
  for (double force = 0.0; force <= 300.0; force += 1.0) {
    SensorReadings reading = readings();
    reading.ankle_wrench[kLeft].force = {0.0, 0.0, force};
    estimator.update(reading);
    const double trust = estimator.contact_trust(kLeft);
    EXPECT_GE(trust, last);
    if (last >= 0.0) {
      EXPECT_LT(trust - last, 0.02);
    }
    last = trust;
  }
  EXPECT_EQ(last, 1.0);
}

TEST_F(StandingRobot, ALiftedFootMovesFreely) {
  BaseEstimator estimator = after(500);
  for (int i = 0; i < 300; ++i) {
    SensorReadings reading = readings();
    reading.ankle_wrench[kLeft].force.setZero();
    for (int above : robot_.joint_chain(robot_.frame(robot_.description().roles.foot[kLeft]))) {
      reading.state.q[kBaseQ + above] += 1e-3 * i;
    }
    estimator.update(reading);
  }
  EXPECT_LT(estimator.imu_now().velocity.norm(), 5e-3);
  EXPECT_LT(tilt_error(estimator), 2e-3);
}

TEST_F(StandingRobot, TheSeatCarriesWhatTheFeetDoNotAndIsAContactWhileItDoes) {
  // Seated with its feet off the floor: the hips are the only contact.
  const auto drift_with = [&](bool has_seat) {
    settings_.has_seat = has_seat;
    random_.seed(7);
    BaseEstimator estimator = after(500);
    EXPECT_LT(estimator.seat_force(), 0.2 * robot_.mass() * kGravity);
    double worst = 0.0;
    const SensorReadings still = readings();
    for (int i = 0; i < 5000; ++i) {
      SensorReadings reading = still;
      reading.imu_acceleration =
          base_orientation(state_.q).conjugate() * Eigen::Vector3d(0.0, 0.0, kGravity) + noise(0.03);
      reading.imu_angular_velocity = gyroscope_bias_ + noise(0.003);
      for (Wrench& ankle : reading.ankle_wrench) ankle.force.setZero();
      for (int side : {kLeft, kRight}) {  // hanging feet swing
        reading.state.q[kBaseQ + robot_.joint_chain(robot_.frame(robot_.description().roles.foot[side]))[0]] +=
            0.1 * std::sin(5e-3 * i);
      }
      estimator.update(reading);
      if (i > 1000) worst = std::max(worst, estimator.imu_now().velocity.norm());
    }
    if (has_seat) {
      EXPECT_NEAR(estimator.seat_force(), robot_.mass() * kGravity, 0.05 * robot_.mass() * kGravity);
    }
    return worst;
  };
  const double with = drift_with(true), without = drift_with(false);
  EXPECT_LT(with, 5e-3);
  EXPECT_GT(without, 2.0 * with);
}

TEST_F(StandingRobot, ASlippingFootIsNoticed) {
  BaseEstimator estimator = after(500);
  EXPECT_EQ(estimator.num_slips(), 0);
  const std::vector<int> leg = robot_.joint_chain(robot_.frame(robot_.description().roles.foot[kLeft]));
  for (int i = 1; i <= 50; ++i) {  // 1 m/s, under load
    SensorReadings reading = readings();
    reading.state.q[kBaseQ + leg[2]] += 1e-3 * i;
    estimator.update(reading);
  }
  EXPECT_GT(estimator.num_slips(), 0);
  EXPECT_LT(estimator.imu_now().velocity.norm(), 0.05);  // the other foot stands
}

TEST_F(StandingRobot, BrokenReadingsAreNamedAtOnceAndSurvivedForFiftyMilliseconds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    Sensor sensor;
    std::function<void(SensorReadings&)> damage;
  };
  const std::vector<Case> cases = {
      {Sensor::imu_acceleration, [&](SensorReadings& it) { it.imu_acceleration.setConstant(nan); }},
      {Sensor::imu_angular_velocity, [&](SensorReadings& it) { it.imu_angular_velocity.y() = nan; }},
      {Sensor::joint_position, [&](SensorReadings& it) { it.state.q.tail(1)[0] = nan; }},
      {Sensor::joint_velocity, [&](SensorReadings& it) { it.state.v.tail(1)[0] = nan; }},
      {Sensor::left_ankle_wrench, [&](SensorReadings& it) { it.ankle_wrench[kLeft].moment.x() = nan; }},
      {Sensor::right_foot_acceleration, [&](SensorReadings& it) { it.foot_acceleration[kRight].x() = nan; }},
      {Sensor::imu_acceleration, [](SensorReadings& it) {
         it.imu_acceleration.setZero();
         it.is_lost[static_cast<std::size_t>(Sensor::imu_acceleration)] = true;
       }}};
  for (const Case& broken : cases) {
    BaseEstimator estimator = after(500);
    for (int i = 0; i < 50; ++i) {
      SensorReadings reading = readings();
      broken.damage(reading);
      estimator.update(reading);
      ASSERT_TRUE(estimator.is_missing(broken.sensor));
    }
    estimator.update(readings());
    EXPECT_FALSE(estimator.is_missing(broken.sensor));
    EXPECT_TRUE(estimator.filter().is_finite());
    EXPECT_LT(tilt_error(estimator), 5e-3) << kSensorNames[static_cast<std::size_t>(broken.sensor)];
    EXPECT_LT(estimator.imu_now().velocity.norm(), 0.02) << kSensorNames[static_cast<std::size_t>(broken.sensor)];
  }
}

TEST_F(StandingRobot, FrozenReadingsAreNamedWithinFiveMilliseconds) {
  struct Case {
    Sensor sensor;
    std::function<void(SensorReadings&, const SensorReadings&)> freeze;
  };
  const std::vector<Case> cases = {
      {Sensor::imu_acceleration, [](auto& it, const auto& last) { it.imu_acceleration = last.imu_acceleration; }},
      {Sensor::imu_angular_velocity,
       [](auto& it, const auto& last) { it.imu_angular_velocity = last.imu_angular_velocity; }},
      // Encoders at rest always read the same: only the turning of the pelvis shows that they should not.
      {Sensor::joint_position, [](auto& it, const auto&) { it.imu_angular_velocity.y() += 0.2; }}};
  for (const Case& frozen : cases) {
    BaseEstimator estimator = after(500);
    EXPECT_FALSE(estimator.is_missing(frozen.sensor));
    const SensorReadings last = readings();
    estimator.update(last);
    int ticks = 0;
    while (ticks < 50 && !estimator.is_missing(frozen.sensor)) {
      SensorReadings reading = readings();
      frozen.freeze(reading, last);
      estimator.update(reading);
      ++ticks;
    }
    EXPECT_LE(ticks, 5) << kSensorNames[static_cast<std::size_t>(frozen.sensor)];
  }
}

TEST_F(StandingRobot, NeverStartsOnBrokenReadings) {
  BaseEstimator estimator(robot_, settings_, state_);
  for (int i = 0; i < 300; ++i) {
    SensorReadings reading = readings();
    reading.imu_acceleration.setConstant(std::numeric_limits<double>::quiet_NaN());
    estimator.update(reading);
  }
  EXPECT_FALSE(estimator.has_started());
}

TEST_F(StandingRobot, DelaysBeyondItsReachAreRefused) {
  settings_.imu_delay_s = 0.2;
  EXPECT_THROW(BaseEstimator(robot_, settings_, state_), InvalidValue);
}

TEST_F(StandingRobot, TheLoopNeverAllocates) {
  SKIP_UNLESS_COUNTED();
  settings_.imu_delay_s = 2e-3;
  settings_.encoder_delay_s = 1e-3;
  BaseEstimator estimator = after(200);
  SensorReadings reading = readings();
  SensorReadings written = reading;
  const test::AllocationCount allocations;
  for (int i = 0; i < 100; ++i) {
    estimator.update(reading);
    estimator.write(written);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
