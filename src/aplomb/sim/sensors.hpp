#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// How one sensor errs. Units are those of its readings; those of an orientation are rotation vectors [rad].
struct SensorSettings {
  double noise = 0.0;         ///< standard deviation, independent each tick and channel
  double bias = 0.0;          ///< constant, of every channel
  double delay_s = 0.0;       ///< rounded to control ticks
  double quantisation = 0.0;  ///< readings are multiples of this; 0: none
  double dropout = 0.0;       ///< probability that a tick's reading is lost and the last one stands
};

/// A sensor that breaks for a while.
struct SensorFault {
  enum class Kind { lost, frozen, nan, bias };
  Sensor sensor = Sensor::joint_position;
  Kind kind = Kind::lost;
  double start_s = 0.0;
  double duration_s = std::numeric_limits<double>::infinity();
  double bias = 0.0;  ///< for Kind::bias
  /// One channel of it; absent: all. A single channel that is lost reads zero, and nobody reports it.
  std::optional<int> channel;
};

/// Turns the truth into what sensors say of it. The same seed gives the same errors.
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
  void break_down(double time_s);

  Settings settings_;
  std::vector<SensorFault> faults_;
  std::array<Channels, kSensorNames.size()> channels_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  Eigen::VectorXd truth_, reading_;
  Eigen::VectorXd last_;     ///< readings of the last tick, faults aside: what stands when one drops out
  Eigen::VectorXd told_;     ///< readings of the last tick as they were told: what a frozen sensor repeats
  Eigen::MatrixXd history_;  ///< a column a tick, used as a ring
  Eigen::Index tick_ = 0;
  SensorReadings readings_;
};

}  // namespace aplomb
