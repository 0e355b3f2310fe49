#include "aplomb/sim/sensors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_state.hpp"

namespace aplomb {
namespace {

class Sensors : public testing::Test {
 protected:
  RobotModel robot_ = RobotModel::load("balancer");
  SensorSuite::Settings settings_;

  SensorReadings truth(unsigned tick) const {
    SensorReadings truth;
    truth.time_s = 1e-3 * tick;
    truth.state = test::random_state(robot_, tick);
    truth.foot_wrench[kLeft].force = {1.0 * tick, 2.0, 300.0};
    truth.load_cells[kRight] = {1.0, 2.0, 3.0, 1.0 * tick};
    return truth;
  }
  SensorSettings& of(Sensor sensor) { return settings_[static_cast<std::size_t>(sensor)]; }
};

TEST_F(Sensors, WithoutErrorsReadTheTrueValues) {
  SensorSuite suite(robot_, settings_, {}, 1);
  for (unsigned tick = 0; tick < 5; ++tick) {
    const SensorReadings is = truth(tick);
    const SensorReadings& said = suite.sense(is);
    EXPECT_EQ(said.state.q, is.state.q);
    EXPECT_EQ(said.state.v, is.state.v);
    EXPECT_EQ(said.foot_wrench[kLeft].force, is.foot_wrench[kLeft].force);
    EXPECT_EQ(said.load_cells[kRight], is.load_cells[kRight]);
    EXPECT_EQ(said.time_s, is.time_s);
  }
}

TEST_F(Sensors, DelayedReadingsAreEarlierTrueValues) {
  of(Sensor::joint_position).delay_s = 0.003;
  SensorSuite suite(robot_, settings_, {}, 1);
  for (unsigned tick = 0; tick < 20; ++tick) {
    const SensorReadings& said = suite.sense(truth(tick));
    const SensorReadings then = truth(tick < 3 ? 0 : tick - 3);
    EXPECT_EQ(said.state.q.tail(18), then.state.q.tail(18));
    EXPECT_EQ(said.state.v, truth(tick).state.v);  // the others are not late
  }
}

TEST_F(Sensors, NoiseHasItsStandardDeviationAndDependsOnTheSeedOnly) {
  of(Sensor::left_foot_wrench).noise = 2.0;
  SensorSuite suite(robot_, settings_, {}, 5), same(robot_, settings_, {}, 5), other(robot_, settings_, {}, 6);
  double sum = 0.0, squares = 0.0;
  const int count = 20000;
  const SensorReadings is = truth(1);
  for (int i = 0; i < count; ++i) {
    const double error = suite.sense(is).foot_wrench[kLeft].force.y() - 2.0;
    EXPECT_EQ(same.sense(is).foot_wrench[kLeft].force.y() - 2.0, error);
    EXPECT_NE(other.sense(is).foot_wrench[kLeft].force.y() - 2.0, error);
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / count, 0.0, 5.0 * 2.0 / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(squares / count), 2.0, 5.0 * 2.0 / std::sqrt(2.0 * count));
}

TEST_F(Sensors, OrientationNoiseLeavesAUnitQuaternionAndTurnsByItsSize) {
  of(Sensor::base_orientation).noise = 0.01;
  SensorSuite suite(robot_, settings_, {}, 1);
  double squares = 0.0;
  for (unsigned tick = 0; tick < 2000; ++tick) {
    const SensorReadings is = truth(tick);
    const Eigen::Quaterniond said(suite.sense(is).state.q.segment<4>(3));
    EXPECT_NEAR(said.norm(), 1.0, 1e-12);
    squares += std::pow(said.angularDistance(Eigen::Quaterniond(is.state.q.segment<4>(3))), 2);
  }
  EXPECT_NEAR(std::sqrt(squares / 2000 / 3), 0.01, 0.001);
}

TEST_F(Sensors, QuantisationAndBiasShowInEveryChannel) {
  of(Sensor::joint_position) = {.bias = 0.5, .quantisation = 0.125};
  SensorSuite suite(robot_, settings_, {}, 1);
  const SensorReadings is = truth(3);
  const SensorReadings& said = suite.sense(is);
  for (int i = 7; i < said.state.q.size(); ++i) {
    EXPECT_EQ(std::remainder(said.state.q[i], 0.125), 0.0);
    EXPECT_LE(std::abs(said.state.q[i] - is.state.q[i] - 0.5), 0.0625 + 1e-12);
  }
}

TEST_F(Sensors, DropoutRepeatsTheLastReadingAsOftenAsItSays) {
  of(Sensor::left_foot_wrench).dropout = 0.3;
  SensorSuite suite(robot_, settings_, {}, 1);
  int repeats = 0;
  double last = -1.0;
  for (unsigned tick = 0; tick < 5000; ++tick) {
    const double said = suite.sense(truth(tick)).foot_wrench[kLeft].force.x();
    repeats += said == last ? 1 : 0;
    last = said;
  }
  EXPECT_NEAR(repeats / 5000.0, 0.3, 0.03);
}

TEST_F(Sensors, QuantisationOfAnOrientationLeavesARotationVectorOfMultiples) {
  of(Sensor::base_orientation).quantisation = 0.25;
  SensorSuite suite(robot_, settings_, {}, 1);
  for (unsigned tick = 0; tick < 20; ++tick) {
    const SensorReadings is = truth(tick);
    const Eigen::Quaterniond said(suite.sense(is).state.q.segment<4>(3));
    const Eigen::AngleAxisd turn(said);
    const Eigen::Vector3d steps = turn.angle() * turn.axis() / 0.25;
    EXPECT_LT((steps - Eigen::Vector3d(steps.array().round())).norm(), 1e-9);
    EXPECT_LT(said.angularDistance(Eigen::Quaterniond(is.state.q.segment<4>(3))), 0.125 * std::sqrt(3.0) + 1e-9);
  }
}

TEST_F(Sensors, AddTheirBiasOnceToARepeatedReading) {
  of(Sensor::left_foot_wrench).dropout = 0.8;
  SensorSuite suite(robot_, settings_, {{Sensor::left_foot_wrench, SensorFault::Kind::bias, 0.0, 1.0, 7.0}}, 1);
  for (unsigned tick = 0; tick < 200; ++tick) {
    EXPECT_EQ(suite.sense(truth(tick)).foot_wrench[kLeft].force.y(), 2.0 + 7.0);
  }
}

TEST_F(Sensors, FaultsBreakOneSensorForTheirTime) {
  using Kind = SensorFault::Kind;
  const auto said_at = [&](Kind kind, unsigned last_tick) {
    SensorSuite suite(robot_, settings_, {{Sensor::left_foot_wrench, kind, 0.005, 0.010, 7.0}}, 1);
    for (unsigned tick = 0; tick < last_tick; ++tick) suite.sense(truth(tick));
    return suite.sense(truth(last_tick));
  };
  for (Kind kind : {Kind::lost, Kind::frozen, Kind::nan, Kind::bias}) {
    EXPECT_EQ(said_at(kind, 4).foot_wrench[kLeft].force.x(), 4.0);
    EXPECT_EQ(said_at(kind, 15).foot_wrench[kLeft].force.x(), 15.0);
  }
  EXPECT_EQ(said_at(Kind::lost, 8).foot_wrench[kLeft].force.x(), 0.0);
  EXPECT_TRUE(said_at(Kind::lost, 8).lost(Sensor::left_foot_wrench));
  EXPECT_FALSE(said_at(Kind::lost, 8).lost(Sensor::right_foot_wrench));
  EXPECT_EQ(said_at(Kind::frozen, 8).foot_wrench[kLeft].force.x(), 4.0);
  EXPECT_TRUE(std::isnan(said_at(Kind::nan, 8).foot_wrench[kLeft].force.x()));
  EXPECT_EQ(said_at(Kind::bias, 8).foot_wrench[kLeft].force.x(), 15.0);
}

TEST_F(Sensors, LastingOffsetsAreDrawnOnceForEachChannelAndSeed) {
  of(Sensor::left_foot_wrench) = {.bias_spread = 2.0, .moment_lever_m = 0.1};
  double force_squares = 0.0, moment_squares = 0.0;
  const int count = 400;
  for (int seed = 0; seed < count; ++seed) {
    SensorSuite suite(robot_, settings_, {}, static_cast<std::uint64_t>(seed));
    const SensorReadings is = truth(1);
    const Eigen::Vector3d first = suite.sense(is).foot_wrench[kLeft].force - is.foot_wrench[kLeft].force;
    const SensorReadings& again = suite.sense(is);
    EXPECT_EQ(again.foot_wrench[kLeft].force - is.foot_wrench[kLeft].force, first);
    force_squares += first.squaredNorm() / 3.0 / count;
    moment_squares += again.foot_wrench[kLeft].moment.squaredNorm() / 3.0 / count;
  }
  EXPECT_NEAR(std::sqrt(force_squares), 2.0, 5.0 * 2.0 / std::sqrt(2.0 * 3.0 * count));
  EXPECT_NEAR(std::sqrt(moment_squares), 0.2, 5.0 * 0.2 / std::sqrt(2.0 * 3.0 * count));
}

TEST_F(Sensors, DriftGrowsInProportionToTimeAndARandomWalkWithItsRoot) {
  of(Sensor::left_foot_wrench).drift_per_s = 2.0;
  of(Sensor::right_foot_wrench).bias_walk = 3.0;
  double squares = 0.0;
  const int count = 200;
  for (int seed = 0; seed < count; ++seed) {
    SensorSuite suite(robot_, settings_, {}, static_cast<std::uint64_t>(seed));
    const SensorReadings is = truth(1);
    for (int tick = 0; tick < 500; ++tick) suite.sense(is);
    const SensorReadings& said = suite.sense(is);
    EXPECT_NEAR(std::abs(said.foot_wrench[kLeft].force.y() - 2.0), 2.0 * 0.501, 1e-9);
    squares += said.foot_wrench[kRight].force.squaredNorm() / 3.0 / count;
  }
  const double expected = 3.0 * std::sqrt(0.501);
  EXPECT_NEAR(std::sqrt(squares), expected, 5.0 * expected / std::sqrt(2.0 * 3.0 * count));
}

TEST_F(Sensors, JitterReadsBetweenTheSamplesThatItMayReach) {
  of(Sensor::left_foot_wrench) = {.delay_s = 0.002, .jitter_s = 0.0015};
  SensorSuite suite(robot_, settings_, {}, 1);
  double least = 1e9, most = 0.0;
  for (unsigned tick = 0; tick < 2000; ++tick) {
    const double late = tick - suite.sense(truth(tick)).foot_wrench[kLeft].force.x();  // the truth is the tick
    if (tick < 10) continue;
    least = std::min(least, late);
    most = std::max(most, late);
  }
  EXPECT_NEAR(least, 2.0, 0.01);
  EXPECT_NEAR(most, 3.5, 0.01);
}

TEST_F(Sensors, JointRatesAreTheDifferencesOfTheReadPositions) {
  of(Sensor::joint_position).quantisation = 1e-3;
  of(Sensor::joint_velocity).rate_cutoff_hz = 50.0;
  SensorSuite suite(robot_, settings_, {}, 1);
  const double gain = 1.0 - std::exp(-2.0 * M_PI * 50.0 * 1e-3);
  Eigen::VectorXd last, rate = Eigen::VectorXd::Zero(robot_.num_joints());
  for (unsigned tick = 0; tick < 50; ++tick) {
    const SensorReadings& said = suite.sense(truth(tick));
    const Eigen::VectorXd position = said.state.q.tail(robot_.num_joints());
    if (tick > 0) rate += gain * ((position - last) / 1e-3 - rate);
    last = position;
    EXPECT_LT((said.state.v.tail(robot_.num_joints()) - rate).norm(), 1e-9 * (1.0 + rate.norm()));
  }
}

TEST_F(Sensors, GyroscopeAndAccelerometerOfOneUnitAreTurnedAlike) {
  for (Sensor sensor : {Sensor::imu_acceleration, Sensor::imu_angular_velocity, Sensor::left_foot_acceleration}) {
    of(sensor).misalignment_rad = 0.01;
  }
  SensorSuite suite(robot_, settings_, {}, 4);
  SensorReadings is = truth(1);
  is.imu_acceleration = is.imu_angular_velocity = is.foot_acceleration[kLeft] = {1.0, 2.0, 3.0};
  const SensorReadings& said = suite.sense(is);
  EXPECT_EQ(said.imu_acceleration, said.imu_angular_velocity);
  EXPECT_NE(said.imu_acceleration, said.foot_acceleration[kLeft]);
  EXPECT_NEAR(said.imu_acceleration.norm(), is.imu_acceleration.norm(), 1e-12);
  EXPECT_GT((said.imu_acceleration - is.imu_acceleration).norm(), 1e-3);
}

TEST_F(Sensors, TheLaboratoryMeasuresNeitherBaseNorSoles) {
  SensorSuite suite(robot_, SensorSuite::laboratory(), {}, 1);
  const SensorReadings& said = suite.sense(truth(3));
  EXPECT_FALSE(said.has_state());
  for (Sensor sensor : {Sensor::base_position, Sensor::base_orientation, Sensor::base_velocity,
                        Sensor::base_angular_velocity, Sensor::left_foot_wrench, Sensor::seat_wrench}) {
    EXPECT_TRUE(said.lost(sensor)) << kSensorNames[static_cast<std::size_t>(sensor)];
  }
  EXPECT_TRUE(said.foot_wrench[kLeft].force.isZero());
  for (Sensor sensor : {Sensor::joint_position, Sensor::joint_velocity, Sensor::imu_acceleration,
                        Sensor::left_ankle_wrench, Sensor::right_foot_angular_velocity}) {
    EXPECT_FALSE(said.lost(sensor)) << kSensorNames[static_cast<std::size_t>(sensor)];
  }
}

}  // namespace
}  // namespace aplomb
