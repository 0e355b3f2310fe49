#include "aplomb/run/estimated_base.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr int kRestTicks = 1000;

const SensorSettings& of(const SensorSuite::Settings& sensors, Sensor sensor) {
  return sensors[static_cast<std::size_t>(sensor)];
}

/// What the data sheets of these sensors say. A sensor without errors still gets a little noise: a filter that trusts
/// one absolutely loses rank.
BaseEstimator::Settings settings_of(const SensorSuite::Settings& sensors, const World& world) {
  const SensorSettings& gyroscope = of(sensors, Sensor::imu_angular_velocity);
  const SensorSettings& accelerometer = of(sensors, Sensor::imu_acceleration);
  const SensorSettings& encoders = of(sensors, Sensor::joint_position);
  const double root_dt = std::sqrt(Simulation::kControlPeriod);
  BaseEstimator::Settings settings;
  settings.imu = {.gyroscope = std::max(gyroscope.noise, 1e-4) * root_dt,
                  .accelerometer = std::max(accelerometer.noise, 1e-3) * root_dt,
                  .gyroscope_bias = std::max(gyroscope.bias_walk, 1e-7),
                  .accelerometer_bias = std::max(accelerometer.bias_walk, 1e-6)};
  settings.gyroscope_bias = std::max(std::hypot(gyroscope.bias_spread, gyroscope.bias), 1e-5);
  settings.accelerometer_bias = std::max(std::hypot(accelerometer.bias_spread, accelerometer.bias), 1e-4);
  settings.mounting_rad = gyroscope.misalignment_rad;
  settings.imu_delay_s = std::max(gyroscope.delay_s, accelerometer.delay_s);
  settings.encoder_delay_s = encoders.delay_s;
  // Every joint of a leg adds its error over the length of the leg, about a metre.
  settings.kinematic_noise_m = std::hypot(settings.kinematic_noise_m, std::sqrt(6.0) * encoders.noise);
  settings.has_seat = world.chair.has_value();
  settings.has_hands = !world.walls.empty() || !world.boxes.empty() || (world.chair && world.chair->has_arm_rests);
  return settings;
}

}  // namespace

bool EstimatedBase::is_needed(const SensorSuite::Settings& sensors) {
  return std::ranges::any_of(
      std::array{Sensor::base_position, Sensor::base_orientation, Sensor::base_velocity, Sensor::base_angular_velocity},
      [&](Sensor sensor) { return !of(sensors, sensor).is_fitted; });
}

EstimatedBase::EstimatedBase(const RobotModel& robot, const RobotModel& believed, const World& world,
                             const SensorSuite::Settings& sensors, const RobotState& placed)
    : body_sensors_(robot), estimator_(believed, settings_of(sensors, world), placed), metrics_(robot) {
  constexpr std::array kNames = {"base_estimate_x_m",
                                 "base_estimate_y_m",
                                 "base_estimate_z_m",
                                 "base_estimate_velocity_x_m_per_s",
                                 "base_estimate_velocity_y_m_per_s",
                                 "base_estimate_velocity_z_m_per_s",
                                 "base_tilt_error_rad",
                                 "base_tilt_sigma_rad",
                                 "base_velocity_error_m_per_s",
                                 "base_velocity_sigma_m_per_s",
                                 "left_contact_trust",
                                 "right_contact_trust"};
  for (const char* name : kNames) signals_.push_back({name});
  const auto add_xyz = [this](const std::string& stem, const std::string& unit) {
    for (const char* axis : {"x", "y", "z"}) signals_.push_back({stem + "_" + axis + "_" + unit});
  };
  add_xyz("imu_acceleration", "m_per_s2");
  add_xyz("imu_angular_velocity", "rad_per_s");
  for (const std::string side : {"left", "right"}) {
    add_xyz(side + "_ankle_force", "n");
    add_xyz(side + "_ankle_moment", "nm");
    add_xyz(side + "_foot_acceleration", "m_per_s2");
    add_xyz(side + "_foot_angular_velocity", "rad_per_s");
  }
}

void EstimatedBase::watch_rest(const Simulation& simulation, SensorSuite& sensors) {
  SensorReadings truth;
  simulation.read(truth);
  for (int tick = -kRestTicks; tick < 0; ++tick) {
    truth.time_s = tick * Simulation::kControlPeriod;  // before the first fault
    measure(simulation.state(), truth);
    estimate(sensors.sense(truth));
  }
}

const SensorReadings& EstimatedBase::estimate(const SensorReadings& measured) {
  estimator_.update(measured);
  readings_ = measured;
  estimator_.write(readings_);
  fallbacks_.clear();
  for (std::size_t i = 0; i < kSensorNames.size(); ++i) {
    const auto sensor = static_cast<Sensor>(i);
    if (estimator_.is_missing(sensor)) fallbacks_.take(sensor, "the base estimate continues with the last reading");
  }
  return readings_;
}

std::span<const Signal> EstimatedBase::signals() {
  const ContactFilter::State& now = estimator_.imu_now();
  for (int i = 0; i < 3; ++i) {
    signals_[static_cast<std::size_t>(i)].value = now.position[i];
    signals_[static_cast<std::size_t>(3 + i)].value = now.velocity[i];
  }
  signals_[6].value = metrics_.tilt_error();
  signals_[7].value = estimator_.tilt_sigma();
  signals_[8].value = metrics_.velocity_error();
  signals_[9].value = std::sqrt(estimator_.filter().covariance().diagonal().segment<3>(3).sum());
  for (int side : {kLeft, kRight}) {
    signals_[static_cast<std::size_t>(10 + side)].value = estimator_.contact_trust(side);
  }
  std::size_t next = 12;
  const auto add = [&](const Eigen::Vector3d& vector) {
    for (double value : vector) signals_[next++].value = value;
  };
  add(readings_.imu_acceleration);
  add(readings_.imu_angular_velocity);
  for (int side : {kLeft, kRight}) {
    add(readings_.ankle_wrench[side].force);
    add(readings_.ankle_wrench[side].moment);
    add(readings_.foot_acceleration[side]);
    add(readings_.foot_angular_velocity[side]);
  }
  return signals_;
}

}  // namespace aplomb
