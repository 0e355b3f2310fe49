#include "aplomb/control/fallbacks.hpp"

#include <algorithm>
#include <cassert>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {

void Fallbacks::take(Sensor sensor, std::string_view action) {
  const auto is_same = [&](const Fallback& fallback) { return fallback.sensor == sensor && fallback.action == action; };
  if (std::ranges::any_of(taken(), is_same)) return;
  assert(count_ < kMost);
  taken_[count_++] = {sensor, action};
}

void Fallbacks::take_without_state(const SensorReadings& readings, std::string_view action) {
  const Eigen::VectorXd& q = readings.state.q;
  const Eigen::VectorXd& v = readings.state.v;
  const auto take_if = [&](Sensor sensor, bool is_finite) {
    if (readings.lost(sensor) || !is_finite) take(sensor, action);
  };
  take_if(Sensor::joint_position, joint_positions(q).allFinite());
  take_if(Sensor::joint_velocity, joint_velocities(v).allFinite());
  take_if(Sensor::base_position, q.head<3>().allFinite());
  take_if(Sensor::base_orientation, q.segment<4>(3).allFinite());
  take_if(Sensor::base_velocity, v.head<3>().allFinite());
  take_if(Sensor::base_angular_velocity, v.segment<3>(3).allFinite());
}

void Fallbacks::take_all(std::span<const Fallback> others) {
  for (const Fallback& other : others) take(other.sensor, other.action);
}

}  // namespace aplomb
