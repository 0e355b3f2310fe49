#include "aplomb/sim/sensors.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

Eigen::Index delay_ticks(const SensorSettings& settings) {
  return static_cast<Eigen::Index>(std::llround(settings.delay_s / Simulation::kControlPeriod));
}

/// Columns of history that a sensor reads, at most.
Eigen::Index history_length(const SensorSettings& settings) {
  const auto jitter = static_cast<Eigen::Index>(std::ceil(settings.jitter_s / Simulation::kControlPeriod));
  return delay_ticks(settings) + jitter + 1;
}

bool is_wrench(Eigen::Index num_channels) { return num_channels == 6; }

Eigen::Index channel_count(Sensor sensor, Eigen::Index num_joints) {
  switch (sensor) {
    case Sensor::joint_position:
    case Sensor::joint_velocity:
      return num_joints;
    case Sensor::base_orientation:
    case Sensor::left_load_cells:
    case Sensor::right_load_cells:
      return 4;
    case Sensor::left_foot_wrench:
    case Sensor::right_foot_wrench:
    case Sensor::left_hand_wrench:
    case Sensor::right_hand_wrench:
    case Sensor::seat_wrench:
    case Sensor::left_ankle_wrench:
    case Sensor::right_ankle_wrench:
      return 6;
    default:
      return 3;
  }
}

/// Calls `use(vector of one part)` for every part of the readings before the load cells, in the order of the sensors.
template <typename Readings, typename Use>
void for_each_part(Readings& readings, Use use) {
  use(joint_positions(readings.state.q));
  use(joint_velocities(readings.state.v));
  use(readings.state.q.template head<3>());
  use(readings.state.q.template segment<4>(3));
  use(readings.state.v.template head<3>());
  use(readings.state.v.template segment<3>(3));
  for (auto* wrenches : {&readings.foot_wrench, &readings.hand_wrench}) {
    for (auto& wrench : *wrenches) {
      use(wrench.force.head(3));
      use(wrench.moment.head(3));
    }
  }
  use(readings.seat_wrench.force.head(3));
  use(readings.seat_wrench.moment.head(3));
  use(readings.imu_acceleration.head(3));
  use(readings.imu_angular_velocity.head(3));
}

/// The same for the parts after the load cells.
template <typename Readings, typename Use>
void for_each_late_part(Readings& readings, Use use) {
  for (auto& wrench : readings.ankle_wrench) {
    use(wrench.force.head(3));
    use(wrench.moment.head(3));
  }
  for (auto* vectors : {&readings.foot_acceleration, &readings.foot_angular_velocity}) {
    for (auto& vector : *vectors) use(vector.head(3));
  }
}

}  // namespace

SensorSuite::SensorSuite(const RobotModel& robot, const Settings& settings, std::vector<SensorFault> faults,
                         std::uint64_t seed)
    : settings_(settings), faults_(std::move(faults)), random_(seed) {
  Eigen::Index first = 0, longest = 1;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i] = {first, channel_count(static_cast<Sensor>(i), robot.num_joints())};
    first += channels_[i].count;
    longest = std::max(longest, history_length(settings_[i]));
  }
  truth_ = reading_ = last_ = reported_ = Eigen::VectorXd::Zero(first);
  history_ = Eigen::MatrixXd::Zero(first, longest);
  last_position_ = rate_ = Eigen::VectorXd::Zero(robot.num_joints());
  readings_.state = robot.neutral_state();
  draw_lasting_errors(seed);
}

void SensorSuite::draw_lasting_errors(std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15u);  // a stream of its own: noise is the same with and without
  std::normal_distribution<double> normal;
  const auto draw3 = [&] {
    Eigen::Vector3d vector;
    for (double& value : vector) value = normal(random);
    return vector;
  };
  const Eigen::Vector3d pelvis = draw3(), left = draw3(), right = draw3();  // one mounting for each IMU
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const auto sensor = static_cast<Sensor>(i);
    Lasting& lasting = lasting_[i];
    lasting.offset = lasting.drift = Eigen::VectorXd::Zero(channels_[i].count);
    for (double& value : lasting.offset) value = settings_[i].bias_spread * normal(random);
    for (double& value : lasting.drift) {
      value = std::copysign(settings_[i].drift_per_s * Simulation::kControlPeriod, normal(random));
    }
    if (channels_[i].count != 3 || settings_[i].misalignment_rad == 0.0) continue;
    const bool is_left = sensor == Sensor::left_foot_acceleration || sensor == Sensor::left_foot_angular_velocity;
    const bool is_right = sensor == Sensor::right_foot_acceleration || sensor == Sensor::right_foot_angular_velocity;
    lasting.mounting = rotation_by(settings_[i].misalignment_rad * (is_left ? left : is_right ? right : pelvis));
  }
}

SensorSuite::Settings SensorSuite::laboratory() {
  Settings settings;
  const auto of = [&settings](Sensor sensor) -> SensorSettings& { return settings[static_cast<std::size_t>(sensor)]; };
  constexpr double kDegree = std::numbers::pi / 180.0, kMilliG = 9.81e-3;
  const double root_bandwidth = std::sqrt(0.5 / Simulation::kControlPeriod);  // √Hz, up to the Nyquist frequency
  for (Sensor sensor :
       {Sensor::base_position, Sensor::base_orientation, Sensor::base_velocity, Sensor::base_angular_velocity,
        Sensor::left_foot_wrench, Sensor::right_foot_wrench, Sensor::seat_wrench}) {
    of(sensor).is_fitted = false;
  }
  of(Sensor::joint_position) = {.delay_s = 1e-3, .quantisation = 2.0 * std::numbers::pi / (1 << 19)};
  of(Sensor::joint_velocity).rate_cutoff_hz = 100.0;
  for (Sensor sensor :
       {Sensor::imu_angular_velocity, Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity}) {
    of(sensor) = {.noise = 0.007 * kDegree * root_bandwidth,
                  .delay_s = 1e-3,
                  .bias_spread = 0.5 * kDegree,
                  .bias_walk = 10.0 * kDegree / 3600.0 / std::sqrt(100.0),
                  .jitter_s = 2e-4,
                  .misalignment_rad = 0.1 * kDegree};
  }
  for (Sensor sensor : {Sensor::imu_acceleration, Sensor::left_foot_acceleration, Sensor::right_foot_acceleration}) {
    of(sensor) = {.noise = 0.12 * kMilliG * root_bandwidth,
                  .delay_s = 1e-3,
                  .bias_spread = 3.0 * kMilliG,
                  .bias_walk = 0.03 * kMilliG / std::sqrt(100.0),
                  .jitter_s = 2e-4,
                  .misalignment_rad = 0.1 * kDegree};
  }
  for (Sensor sensor :
       {Sensor::left_ankle_wrench, Sensor::right_ankle_wrench, Sensor::left_hand_wrench, Sensor::right_hand_wrench}) {
    of(sensor) = {.noise = 0.5,
                  .delay_s = 2e-3,
                  .bias_spread = 2.0,
                  .drift_per_s = 1.0 / 60.0,
                  .jitter_s = 2e-4,
                  .moment_lever_m = 0.03};
  }
  for (Sensor sensor : {Sensor::left_load_cells, Sensor::right_load_cells}) {
    of(sensor) = {.noise = 0.5, .delay_s = 2e-3};
  }
  return settings;
}

void SensorSuite::pack(const SensorReadings& truth) {
  Eigen::Index at = 0;
  for_each_part(truth, [&](const auto& part) {
    truth_.segment(at, part.size()) = part;
    at += part.size();
  });
  for (const auto& cells : truth.load_cells) {
    std::copy(cells.begin(), cells.end(), truth_.data() + at);
    at += 4;
  }
  for_each_late_part(truth, [&](const auto& part) {
    truth_.segment(at, part.size()) = part;
    at += part.size();
  });
}

void SensorSuite::unpack(const SensorReadings& truth) {
  Eigen::Index at = 0;
  for_each_part(readings_, [&](auto part) {
    part = reading_.segment(at, part.size());
    at += part.size();
  });
  for (auto& cells : readings_.load_cells) {
    std::copy_n(reading_.data() + at, 4, cells.begin());
    at += 4;
  }
  for_each_late_part(readings_, [&](auto part) {
    part = reading_.segment(at, part.size());
    at += part.size();
  });
  readings_.time_s = truth.time_s;
}

const SensorReadings& SensorSuite::sense(const SensorReadings& truth) {
  pack(truth);
  if (tick_ == 0) history_.colwise() = truth_;  // before the start nothing moved
  history_.col(tick_ % history_.cols()) = truth_;
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    read_delayed(i);
    if (static_cast<Sensor>(i) == Sensor::joint_velocity && settings_[i].rate_cutoff_hz > 0.0) {
      differentiate_positions();
    }
    disturb(i);
  }
  last_ = reading_;
  apply_faults(truth.time_s);
  reported_ = reading_;
  ++tick_;
  unpack(truth);
  return readings_;
}

void SensorSuite::read_delayed(std::size_t sensor) {
  const auto [first, count] = channels_[sensor];
  const SensorSettings& settings = settings_[sensor];
  Eigen::Index ticks = delay_ticks(settings);
  const auto then = [&](Eigen::Index ago) {
    return history_.col((tick_ + history_.cols() - ago) % history_.cols()).segment(first, count);
  };
  reading_.segment(first, count) = then(ticks);
  if (settings.jitter_s == 0.0) return;
  // Between the two samples around the drawn time.
  const double late = uniform_(random_) * settings.jitter_s / Simulation::kControlPeriod;
  ticks += static_cast<Eigen::Index>(late);
  const double part = late - std::floor(late);
  reading_.segment(first, count) = (1.0 - part) * then(ticks);
  if (part > 0.0) reading_.segment(first, count) += part * then(ticks + 1);
  if (static_cast<Sensor>(sensor) == Sensor::base_orientation) reading_.segment(first, count).normalize();
}

void SensorSuite::differentiate_positions() {
  const auto index = static_cast<std::size_t>(Sensor::joint_velocity);
  const auto position = reading_.head(rate_.size());  // joint_position is the first sensor
  const double gain =
      1.0 - std::exp(-2.0 * std::numbers::pi * settings_[index].rate_cutoff_hz * Simulation::kControlPeriod);
  if (tick_ == 0) last_position_ = position;
  rate_ += gain * ((position - last_position_) / Simulation::kControlPeriod - rate_);
  last_position_ = position;
  reading_.segment(channels_[index].first, channels_[index].count) = rate_;
}

void SensorSuite::disturb(std::size_t sensor) {
  const SensorSettings& settings = settings_[sensor];
  auto values = reading_.segment(channels_[sensor].first, channels_[sensor].count);
  if (settings.dropout > 0.0 && uniform_(random_) < settings.dropout && tick_ > 0) {
    values = last_.segment(channels_[sensor].first, channels_[sensor].count);
    return;
  }
  if (static_cast<Sensor>(sensor) == Sensor::base_orientation) {
    disturb_orientation(settings, values);
    return;
  }
  Lasting& lasting = lasting_[sensor];
  if (settings.misalignment_rad > 0.0 && values.size() == 3) {
    values = (lasting.mounting.transpose() * values.head<3>()).eval();
  }
  const auto lever = [&](Eigen::Index channel) {
    return is_wrench(values.size()) && channel >= 3 ? settings.moment_lever_m : 1.0;
  };
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (settings.noise > 0.0) values[i] += lever(i) * settings.noise * normal_(random_);
    if (settings.bias_walk > 0.0) {
      lasting.offset[i] += settings.bias_walk * std::sqrt(Simulation::kControlPeriod) * normal_(random_);
    }
    lasting.offset[i] += lasting.drift[i];
    if (settings.bias != 0.0) values[i] += lever(i) * settings.bias;
    if (lasting.offset[i] != 0.0) values[i] += lever(i) * lasting.offset[i];
  }
  if (settings.quantisation > 0.0) {
    values = (values / settings.quantisation).array().round().matrix() * settings.quantisation;
  }
}

void SensorSuite::disturb_orientation(const SensorSettings& settings, Eigen::Ref<Eigen::VectorXd> quaternion) {
  Eigen::Vector3d turn = Eigen::Vector3d::Constant(settings.bias);
  if (settings.noise > 0.0) {
    for (double& angle : turn) angle += settings.noise * normal_(random_);
  }
  if (turn.isZero() && settings.quantisation == 0.0) return;
  Eigen::Quaterniond R_world_base{Eigen::Vector4d(quaternion)};
  if (!turn.isZero()) R_world_base = R_world_base * Eigen::AngleAxisd(turn.norm(), turn.normalized());
  if (settings.quantisation > 0.0) {
    const Eigen::AngleAxisd whole(R_world_base);
    const Eigen::Vector3d rounded =
        (whole.angle() * whole.axis() / settings.quantisation).array().round() * settings.quantisation;
    R_world_base = rounded.isZero() ? Eigen::Quaterniond::Identity()
                                    : Eigen::Quaterniond(Eigen::AngleAxisd(rounded.norm(), rounded.normalized()));
  }
  quaternion = R_world_base.normalized().coeffs();
}

void SensorSuite::apply_faults(double time_s) {
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    readings_.is_lost[i] = !settings_[i].is_fitted;
    if (settings_[i].is_fitted) continue;
    auto values = reading_.segment(channels_[i].first, channels_[i].count);
    values.setZero();
    if (static_cast<Sensor>(i) == Sensor::base_orientation) values[3] = 1.0;
  }
  for (const SensorFault& fault : faults_) {
    if (time_s < fault.start_s || time_s >= fault.start_s + fault.duration_s) continue;
    const auto sensor = static_cast<std::size_t>(fault.sensor);
    Channels broken = channels_[sensor];
    if (fault.channel) {
      if (*fault.channel >= broken.count) continue;
      broken = {broken.first + *fault.channel, 1};
    }
    auto values = reading_.segment(broken.first, broken.count);
    switch (fault.kind) {
      case SensorFault::Kind::lost:
        values.setZero();
        if (fault.channel) break;
        if (fault.sensor == Sensor::base_orientation) values[3] = 1.0;
        readings_.is_lost[sensor] = true;
        break;
      case SensorFault::Kind::frozen:
        if (tick_ > 0) values = reported_.segment(broken.first, broken.count);
        break;
      case SensorFault::Kind::nan:
        values.setConstant(std::numeric_limits<double>::quiet_NaN());
        break;
      case SensorFault::Kind::bias:
        if (fault.sensor == Sensor::base_orientation && !fault.channel) {
          disturb_orientation({.bias = fault.bias}, values);
        } else {
          values.array() += fault.bias;
        }
        break;
    }
  }
}

}  // namespace aplomb
