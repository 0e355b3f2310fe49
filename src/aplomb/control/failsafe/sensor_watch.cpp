#include "aplomb/control/failsafe/sensor_watch.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kStopExcess = 0.5;          // [rad], [m] beyond a joint's stop
constexpr double kMostJointRate = 200.0;     // [rad/s], [m/s]
constexpr double kMostBaseSpeed = 30.0;      // [m/s]: of a fall from 45 m
constexpr double kMostAngularSpeed = 100.0;  // [rad/s]
constexpr double kMostPosition = 1e4;        // [m] from the origin
constexpr double kQuaternionTolerance = 0.01;
constexpr double kMostWeights = 100.0;     // force of a contact, over the robot's weight; impacts reach tens
constexpr double kMostAcceleration = 1e4;  // [m/s²]
constexpr double kActivityGain = 0.1;      // of the low-pass of a sensor's changes, per tick
constexpr double kActiveSteps = 3.0;       // of the sensor's resolution, a tick
constexpr double kOpen = 0.05;             // of the weight: a contact that carries less may be open
// Change per tick, in the sensor's own unit, below which a sensor counts as settled: its exact repetition says nothing.
constexpr double kActive = 1e-6;

}  // namespace

Eigen::Index read_channels(const SensorReadings& readings, Sensor sensor, Eigen::Ref<Eigen::VectorXd> channels) {
  const auto vector = [&](const auto& values) {
    channels.head(values.size()) = values;
    return static_cast<Eigen::Index>(values.size());
  };
  const auto wrench = [&](const Wrench& value) {
    channels.head<3>() = value.force;
    channels.segment<3>(3) = value.moment;
    return Eigen::Index{6};
  };
  const auto cells = [&](const std::array<double, 4>& forces) {
    std::ranges::copy(forces, channels.data());
    return Eigen::Index{4};
  };
  switch (sensor) {
    case Sensor::joint_position:
      return vector(joint_positions(readings.state.q));
    case Sensor::joint_velocity:
      return vector(joint_velocities(readings.state.v));
    case Sensor::base_position:
      return vector(readings.state.q.head<3>());
    case Sensor::base_orientation:
      return vector(readings.state.q.segment<4>(3));
    case Sensor::base_velocity:
      return vector(readings.state.v.head<3>());
    case Sensor::base_angular_velocity:
      return vector(readings.state.v.segment<3>(3));
    case Sensor::left_foot_wrench:
      return wrench(readings.foot_wrench[kLeft]);
    case Sensor::right_foot_wrench:
      return wrench(readings.foot_wrench[kRight]);
    case Sensor::left_hand_wrench:
      return wrench(readings.hand_wrench[kLeft]);
    case Sensor::right_hand_wrench:
      return wrench(readings.hand_wrench[kRight]);
    case Sensor::seat_wrench:
      return wrench(readings.seat_wrench);
    case Sensor::imu_acceleration:
      return vector(readings.imu_acceleration);
    case Sensor::imu_angular_velocity:
      return vector(readings.imu_angular_velocity);
    case Sensor::left_load_cells:
      return cells(readings.load_cells[kLeft]);
    case Sensor::right_load_cells:
      return cells(readings.load_cells[kRight]);
    case Sensor::left_ankle_wrench:
      return wrench(readings.ankle_wrench[kLeft]);
    case Sensor::right_ankle_wrench:
      return wrench(readings.ankle_wrench[kRight]);
    case Sensor::left_foot_acceleration:
      return vector(readings.foot_acceleration[kLeft]);
    case Sensor::right_foot_acceleration:
      return vector(readings.foot_acceleration[kRight]);
    case Sensor::left_foot_angular_velocity:
      return vector(readings.foot_angular_velocity[kLeft]);
    case Sensor::right_foot_angular_velocity:
      return vector(readings.foot_angular_velocity[kRight]);
  }
  return 0;
}

SensorWatch::SensorWatch(const RobotModel& model)
    : model_(&model),
      weight_(model.mass() * kGravity),
      channels_(Eigen::VectorXd::Zero(std::max(model.num_joints(), 6))) {
  for (Record& record : records_) {
    record.last = channels_;
    record.good_ticks = kTrustedTicks;
  }
}

bool SensorWatch::is_in_range(Sensor sensor, Eigen::Index count) const {
  const auto values = channels_.head(count);
  const double largest = values.cwiseAbs().maxCoeff();
  switch (sensor) {
    case Sensor::joint_position:
      for (Eigen::Index i = 0; i < count; ++i) {
        const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
        if (values[i] < joint.lower - kStopExcess || values[i] > joint.upper + kStopExcess) return false;
      }
      return true;
    case Sensor::joint_velocity:
      return largest < kMostJointRate;
    case Sensor::base_position:
      return largest < kMostPosition;
    case Sensor::base_orientation:
      return std::abs(values.norm() - 1.0) < kQuaternionTolerance;
    case Sensor::base_velocity:
      return largest < kMostBaseSpeed;
    case Sensor::base_angular_velocity:
    case Sensor::imu_angular_velocity:
    case Sensor::left_foot_angular_velocity:
    case Sensor::right_foot_angular_velocity:
      return largest < kMostAngularSpeed;
    case Sensor::imu_acceleration:
    case Sensor::left_foot_acceleration:
    case Sensor::right_foot_acceleration:
      return largest < kMostAcceleration;
    default:
      return largest < kMostWeights * weight_;
  }
}

/// A force sensor that carries nothing reads its offset, again and again.
bool SensorWatch::is_open(Sensor sensor) const {
  double force = 0.0;
  switch (sensor) {
    case Sensor::left_load_cells:
    case Sensor::right_load_cells:
      force = channels_.head<4>().cwiseAbs().sum();
      break;
    case Sensor::imu_acceleration:
    case Sensor::imu_angular_velocity:
    case Sensor::left_foot_acceleration:
    case Sensor::right_foot_acceleration:
    case Sensor::left_foot_angular_velocity:
    case Sensor::right_foot_angular_velocity:
      return false;
    default:
      force = channels_.head<3>().norm();
  }
  return force < kOpen * weight_;
}

bool SensorWatch::is_frozen(Sensor sensor, Eigen::Index count, bool moves) {
  Record& record = records_[static_cast<std::size_t>(sensor)];
  const auto now = channels_.head(count);
  auto last = record.last.head(count);
  const double change = record.has_answered ? (now - last).cwiseAbs().maxCoeff() : 0.0;
  last = now;
  if (change > 0.0) {
    record.longest = std::max(record.longest, record.repeats);
    record.repeats = 0;
    record.activity += kActivityGain * (change - record.activity);
    record.least = std::min(record.least, change);
    return false;
  }
  ++record.repeats;
  const bool was_active = record.activity > std::max(kActive, kActiveSteps * record.least);
  return moves && was_active && !is_open(sensor) && record.repeats >= std::max(kFrozenTicks, 2 * record.longest + 4);
}

SensorFinding SensorWatch::look_at(Sensor sensor, const SensorReadings& readings, bool moves) {
  Record& record = records_[static_cast<std::size_t>(sensor)];
  if (readings.lost(sensor)) {
    return record.has_answered || is_state_sensor(sensor) ? SensorFinding::lost : SensorFinding::good;
  }
  const Eigen::Index count = read_channels(readings, sensor, channels_);
  if (!channels_.head(count).allFinite()) return SensorFinding::not_finite;
  if (count > 0 && !is_in_range(sensor, count)) return SensorFinding::out_of_range;
  const bool is_repeating = !is_state_sensor(sensor) && is_frozen(sensor, count, moves);
  record.has_answered = true;
  return is_repeating ? SensorFinding::frozen : SensorFinding::good;
}

void SensorWatch::update(const SensorReadings& readings, bool moves) {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const SensorFinding now = look_at(static_cast<Sensor>(i), readings, moves);
    Record& record = records_[i];
    if (now != SensorFinding::good) {
      finding_[i] = now;
      record.good_ticks = 0;
    } else if (record.good_ticks < kTrustedTicks && ++record.good_ticks == kTrustedTicks) {
      finding_[i] = SensorFinding::good;
    }
  }
}

}  // namespace aplomb
