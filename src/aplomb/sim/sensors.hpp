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
  double noise = 0.0;             ///< standard deviation, independent each tick and channel
  double bias = 0.0;              ///< constant offset of every channel
  double delay_s = 0.0;           ///< rounded to control ticks
  double quantisation = 0.0;      ///< readings are multiples of this; 0: none
  double dropout = 0.0;           ///< probability that a tick's reading is lost and the last one is repeated
  double bias_spread = 0.0;       ///< standard deviation of a constant offset, drawn for each channel
  double bias_walk = 0.0;         ///< random walk of the offset of each channel [unit/√s]
  double drift_per_s = 0.0;       ///< growth of the offset, with a sign drawn for each channel [unit/s]
  double jitter_s = 0.0;          ///< each reading is later by up to this, uniformly
  double misalignment_rad = 0.0;  ///< of a three-axis sensor: standard deviation of each angle of its mounting
  double moment_lever_m = 1.0;    ///< of a wrench: errors of the moments over those of the forces [m]
  double rate_cutoff_hz = 0.0;    ///< joint_velocity: differentiated from joint_position, low-pass of this; 0: measured
  bool is_fitted = true;          ///< a sensor that the robot lacks is lost from the start
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
  /// The sensors of a laboratory's humanoid; docs/simulation.md has the sources of the figures. No base pose, no base
  /// velocity, no wrenches on soles and seat: those are to be estimated.
  static Settings laboratory();

  SensorSuite(const RobotModel& robot, const Settings& settings, std::vector<SensorFault> faults, std::uint64_t seed);

  const SensorReadings& sense(const SensorReadings& truth);  ///< once a control tick

 private:
  struct Channels {
    Eigen::Index first = 0, count = 0;
  };
  /// Errors of a sensor that last for the whole run.
  struct Lasting {
    Eigen::VectorXd offset;  ///< of each channel, now
    Eigen::VectorXd drift;   ///< its growth in a tick
    Eigen::Matrix3d mounting = Eigen::Matrix3d::Identity();
  };
  void draw_lasting_errors(std::uint64_t seed);
  void read_delayed(std::size_t sensor);
  void differentiate_positions();
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
  std::array<Lasting, kSensorNames.size()> lasting_;
  Eigen::VectorXd last_position_, rate_;  ///< of the joints: last reading, low-passed difference quotient
  Eigen::Index tick_ = 0;
  SensorReadings readings_;
};

}  // namespace aplomb
