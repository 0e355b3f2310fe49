#include "aplomb/sim/sensors.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

Eigen::Index delay_ticks(const SensorSettings& settings) {
  return static_cast<Eigen::Index>(std::llround(settings.delay_s / Simulation::kControlPeriod));
}

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
      return 6;
    default:
      return 3;
  }
}

/// Calls `use(vector of one part)` for every part of the readings, in the order of the sensors.
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

}  // namespace

SensorSuite::SensorSuite(const RobotModel& robot, const Settings& settings, std::vector<SensorFault> faults,
                         std::uint64_t seed)
    : settings_(settings), faults_(std::move(faults)), random_(seed) {
  Eigen::Index first = 0, longest_delay = 0;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i] = {first, channel_count(static_cast<Sensor>(i), robot.num_joints())};
    first += channels_[i].count;
    longest_delay = std::max(longest_delay, delay_ticks(settings_[i]));
  }
  truth_ = reading_ = last_ = reported_ = Eigen::VectorXd::Zero(first);
  history_ = Eigen::MatrixXd::Zero(first, longest_delay + 1);
  readings_.state = robot.neutral_state();
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
  readings_.time_s = truth.time_s;
}

const SensorReadings& SensorSuite::sense(const SensorReadings& truth) {
  pack(truth);
  if (tick_ == 0) history_.colwise() = truth_;  // before the start nothing moved
  history_.col(tick_ % history_.cols()) = truth_;
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const Channels& channels = channels_[i];
    const Eigen::Index delayed = (tick_ + history_.cols() - delay_ticks(settings_[i])) % history_.cols();
    reading_.segment(channels.first, channels.count) = history_.col(delayed).segment(channels.first, channels.count);
    disturb(i);
  }
  last_ = reading_;
  apply_faults(truth.time_s);
  reported_ = reading_;
  ++tick_;
  unpack(truth);
  return readings_;
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
  if (settings.noise > 0.0) {
    for (double& value : values) value += settings.noise * normal_(random_);
  }
  if (settings.bias != 0.0) values.array() += settings.bias;
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
  readings_.is_lost = {};
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
