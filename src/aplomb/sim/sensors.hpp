#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Error model of one sensor, in the units of its readings; orientation errors are rotation vectors [rad].
struct SensorSettings {
  double noise = 0.0;         ///< standard deviation, independent each tick and channel
  double bias = 0.0;          ///< constant offset of every channel
  double delay_s = 0.0;       ///< rounded to control ticks
  double quantisation = 0.0;  ///< readings are multiples of this; 0: none
  double dropout = 0.0;       ///< probability that a tick's reading is lost and the last one is repeated
};

/// Failure of a sensor during an interval.
struct SensorFault {
  enum class Kind { lost, frozen, nan, bias };
  Sensor sensor = Sensor::joint_position;
  Kind kind = Kind::lost;
  double start_s = 0.0;
  double duration_s = std::numeric_limits<double>::infinity();
  double bias = 0.0;  ///< for Kind::bias
  /// Affected channel; absent: all. A single lost channel reads zero and is not reported as lost.
  std::optional<int> channel;
};

/// Turns ideal readings into measured ones: noise, bias, delay, quantisation, dropouts, faults. The same seed gives
/// the same errors.
class SensorSuite {
 public:
  using Settings = std::array<SensorSettings, kSensorNames.size()>;
  SensorSuite(const RobotModel& robot, const Settings& settings, std::vector<SensorFault> faults, std::uint64_t seed);

  const SensorReadings& sense(const SensorReadings& truth);  ///< once a control tick

 private:
  struct Channels {
    Eigen::Index first = 0, count = 0;
  };
  void pack(const SensorReadings& truth);
  void unpack(const SensorReadings& truth);
  void disturb(std::size_t sensor);
  void disturb_orientation(const SensorSettings& settings, Eigen::Ref<Eigen::VectorXd> quaternion);
  void apply_faults(double time_s);

  Settings settings_;
  std::vector<SensorFault> faults_;
  std::array<Channels, kSensorNames.size()> channels_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  Eigen::VectorXd truth_, reading_;
  Eigen::VectorXd last_;      ///< readings of the last tick without faults: repeated on a dropout
  Eigen::VectorXd reported_;  ///< readings of the last tick as reported: repeated by a frozen sensor
  Eigen::MatrixXd history_;   ///< ring buffer, one column per tick
  Eigen::Index tick_ = 0;
  SensorReadings readings_;
};

}  // namespace aplomb
