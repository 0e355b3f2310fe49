#pragma once

#include <Eigen/Geometry>
#include <array>

#include "aplomb/control/failsafe/pair_watch.hpp"
#include "aplomb/control/failsafe/sensor_watch.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// The robot's state as far as its sensors deserve belief. A part whose sensor failed is substituted, in this order:
///   joint position       the last one, moved on by the measured joint velocity
///   joint velocity       the measured joint positions, differentiated (50 Hz low-pass)
///   base position        the last one, moved on by the measured base velocity; else from the standing foot
///   base orientation     the last one, turned on by the measured angular velocity; else from the standing foot
///   base velocities      the measured pose, differentiated (50 Hz low-pass); else from the standing foot
/// A velocity that is differentiated from its position does not drift; every other substitute does.
/// "From the standing foot": the more loaded foot is taken to rest where it last was, and the joints give the base.
/// A failed sensor is believed again after SensorWatch::kTrustedTicks in which it agrees with its substitute.
class BelievedState {
 public:
  /// `rate_lag_s`: how much later a velocity may be than its position, its filter included.
  BelievedState(const RobotModel& model, const RobotState& start, double period_s, double rate_lag_s);

  /// One tick. `raw`: what the sensors read; `readings`: what the controller gets. They are the same object, unless an
  /// estimator writes the base into the latter; an estimated base is not believed while its IMU is not. Never
  /// allocates.
  void update(const SensorReadings& raw, const SensorReadings& readings);

  SensorFinding finding(Sensor sensor) const { return finding_[static_cast<std::size_t>(sensor)]; }
  bool is_substituted() const { return is_substituted_; }  ///< of at least one part of the state
  bool is_drifting() const { return is_drifting_; }        ///< by a substitute that is the worse the longer it lasts
  bool is_known() const { return is_known_; }              ///< measured or substituted in all parts
  const RobotState& state() const { return state_; }       ///< parts that are unknown: as they last were, at rest
  const SensorReadings& readings() const { return repaired_; }  ///< those of the last tick, with this state
  double load(Side side) const { return load_[static_cast<std::size_t>(side)]; }  ///< over the weight; NaN: unknown
  bool moves() const { return moves_; }

 private:
  static constexpr std::array<Sensor, 6> kParts = {Sensor::joint_position, Sensor::joint_velocity,
                                                   Sensor::base_position,  Sensor::base_orientation,
                                                   Sensor::base_velocity,  Sensor::base_angular_velocity};
  struct Part {
    bool is_believed = true;
    bool was_believed = true;                     ///< in the last tick
    int good_ticks = 0;                           ///< in agreement with the substitute, since it failed
    SensorFinding failure = SensorFinding::good;  ///< the last finding
  };
  struct Foot {
    Side side{};
    int body = 0;
  };
  Part& part(Sensor sensor) { return parts_[static_cast<std::size_t>(sensor)]; }
  bool believes(Sensor sensor) const { return parts_[static_cast<std::size_t>(sensor)].is_believed; }
  /// Whether a position may be differentiated: this step is between two readings that are believed.
  bool has_step(Sensor sensor) const {
    return believes(sensor) && parts_[static_cast<std::size_t>(sensor)].was_believed;
  }
  bool is_estimated(Sensor sensor) const;
  void watch_pairs(const SensorReadings& raw);
  void judge(Sensor sensor, const SensorReadings& readings);
  bool agrees(Sensor sensor, const SensorReadings& readings) const;
  void update_loads(const SensorReadings& readings);
  bool needs_foot() const;  ///< of the base, because neither a position nor its velocity is believed
  void plant_foot();
  void believe_joints(const SensorReadings& readings);
  void believe_base(const SensorReadings& readings);
  Eigen::Isometry3d base_on_planted_foot(const Eigen::VectorXd& q);

  double period_s_, weight_, rate_gain_;
  TreeKinematics kinematics_;
  std::array<Foot, 2> feet_{};
  int num_feet_ = 0;
  SensorWatch sensors_;
  PairWatch joint_pair_, base_pair_, turn_pair_;
  Eigen::VectorXd last_q_, joint_step_, joint_velocity_, scratch_q_;
  bool has_last_ = false;
  std::array<SensorFinding, kSensorNames.size()> finding_{};
  std::array<bool, 6> is_estimated_{};
  std::array<Part, 6> parts_;
  std::array<double, 2> load_{};
  int planted_ = -1;  ///< index of the foot that gives the base; −1: none
  Eigen::Isometry3d T_world_planted_ = Eigen::Isometry3d::Identity();
  RobotState state_, before_;
  SensorReadings repaired_;
  bool is_substituted_ = false, is_drifting_ = false, is_known_ = true, moves_ = false;
};

}  // namespace aplomb
