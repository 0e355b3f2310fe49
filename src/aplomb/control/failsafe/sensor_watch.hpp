#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// What is wrong with a sensor.
enum class SensorFinding : unsigned char { good, lost, not_finite, out_of_range, frozen, jumped };

inline bool is_state_sensor(Sensor sensor) { return sensor <= Sensor::base_angular_velocity; }

/// Channels of a sensor as one vector, in a buffer of kMostChannels or more; returns their number. Never allocates.
Eigen::Index read_channels(const SensorReadings& readings, Sensor sensor, Eigen::Ref<Eigen::VectorXd> channels);

/// Watches each sensor by itself: does it answer, with finite values that the robot can have? A sensor that measures
/// something else than the state is also found frozen: it repeats all of its channels exactly for kFrozenTicks while
/// the robot moves, although in the ten ticks before it changed by three of its smallest steps a tick. A signal of a
/// moving body does not come to rest so fast; that of a contact which opens does, so a force below 5 % of the weight
/// is not found frozen. (State sensors have a better witness: see PairWatch.)
///
/// A finding ends after kTrustedTicks without one. A sensor that has never answered is not fitted, and not watched,
/// unless it measures the state.
class SensorWatch {
 public:
  static constexpr int kFrozenTicks = 10;
  static constexpr int kTrustedTicks = 50;

  explicit SensorWatch(const RobotModel& model);

  /// One tick; `moves`: whether the robot is known to move. Never allocates.
  void update(const SensorReadings& readings, bool moves);
  SensorFinding finding(Sensor sensor) const { return finding_[static_cast<std::size_t>(sensor)]; }

 private:
  struct Record {
    Eigen::VectorXd last;
    double activity = 0.0;  ///< change per tick of the channel that changes most, a mean of the last ten
    double least = std::numeric_limits<double>::infinity();  ///< smallest such change: the resolution
    int repeats = 0;                                         ///< ticks since the last change
    int longest = 0;                                         ///< most repeats that have ended by themselves
    int good_ticks = 0;                                      ///< ticks without a finding, up to kTrustedTicks
    bool has_answered = false;
  };
  SensorFinding look_at(Sensor sensor, const SensorReadings& readings, bool moves);
  bool is_in_range(Sensor sensor, Eigen::Index count) const;
  bool is_open(Sensor sensor) const;
  bool is_frozen(Sensor sensor, Eigen::Index count, bool moves);

  const RobotModel* model_;
  double weight_;
  Eigen::VectorXd channels_;
  std::array<Record, kSensorNames.size()> records_;
  std::array<SensorFinding, kSensorNames.size()> finding_{};
};

}  // namespace aplomb
