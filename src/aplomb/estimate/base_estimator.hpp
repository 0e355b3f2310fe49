#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/estimate/contact_filter.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Base pose and twist, and the load on each foot, from the sensors that a robot has: the inertial measurement unit
/// (IMU) of the pelvis, joint encoders, IMUs of the feet and force/torque sensors at the ankles.
///
/// A ContactFilter with one contact point a foot, the centre of its sole. How far a contact is trusted depends on its
/// load without a threshold: its point moves as a random walk whose density falls from `loose_density` to
/// `firm_density` as the load rises from `unloaded_fraction` to `loaded_fraction` of the weight. A foot that turns
/// moves its point by up to its angular velocity times half its sole's length, which the foot's gyroscope shows. A foot
/// whose innovation is outside `slip_bound` slips: its point is placed anew.
///
/// The estimate starts at rest: the first kRestTicks readings give the gyroscope's bias and the tilt. A single
/// accelerometer at rest cannot tell its bias and its mounting from a tilt; those of pelvis and feet, seen through the
/// joints, have three independent errors, and their mean is taken. Position and heading cannot be observed; they begin
/// where the robot was placed, and drift slowly.
class BaseEstimator {
 public:
  static constexpr int kRestTicks = 100;  ///< readings at rest from which the filter is started

  struct Settings {
    double period_s = 1e-3;  ///< between readings
    ContactFilter::Noise imu;
    double gyroscope_bias = 0.01;              ///< standard deviation at the start [rad/s]
    double accelerometer_bias = 0.03;          ///< standard deviation at the start [m/s²]
    double mounting_rad = 0.0;                 ///< standard deviation of each angle of the IMU's mounting
    double imu_delay_s = 0.0;                  ///< rounded to ticks
    double encoder_delay_s = 0.0;              ///< rounded to ticks
    double kinematic_noise_m = 2e-4;           ///< standard deviation of a foot's position from the encoders
    double firm_density = 5e-4;                ///< of a loaded contact [m/√s]
    double loose_density = 1.0;                ///< of a contact without load [m/√s]
    double turning_time_s = 0.1;               ///< correlation time of a foot's turning
    double unloaded_fraction = 0.02;           ///< of the weight
    double loaded_fraction = 0.15;             ///< of the weight
    double angular_velocity_cutoff_hz = 40.0;  ///< low-pass of what controllers get; the filter takes the raw readings
    double slip_bound = 21.1;                  ///< chi-square, 3 degrees of freedom: exceeded once in 10⁴ ticks
  };

  /// `robot` is the robot as believed; it must outlive this object. `placed` is where it was placed: base position and
  /// heading are taken from it. Throws InvalidValue when the pelvis is not fixed to the base, or on a delay over 50 ms.
  BaseEstimator(const RobotModel& robot, const Settings& settings, const RobotState& placed);

  /// One tick; never allocates. Readings that are lost or not finite are replaced by the last ones and counted.
  void update(const SensorReadings& readings);

  /// Writes the estimate into readings for a controller: base pose and twist, joint positions at the present instant,
  /// ground reaction wrenches of the feet. These are then no longer lost, unless the estimate is not finite.
  void write(SensorReadings& readings) const;

  bool has_started() const { return has_started_; }
  const ContactFilter& filter() const { return filter_; }
  const Eigen::Isometry3d& T_base_imu() const { return T_base_imu_; }
  /// Orientation, velocity and position of the IMU now, with the sensors' delay compensated.
  const ContactFilter::State& imu_now() const { return now_; }
  double tilt_sigma() const;  ///< standard deviation of the tilt about one horizontal axis [rad]
  /// Ground reaction wrench on each foot, in and about the foot frame.
  const std::array<Wrench, 2>& foot_wrench() const { return foot_wrench_; }
  /// How far each foot's contact is trusted: 0 without load, 1 with load.
  double contact_trust(int side) const { return trust_[static_cast<std::size_t>(side)]; }
  int num_slips() const { return num_slips_; }
  /// Whether the last reading of this sensor could not be used.
  bool is_missing(Sensor sensor) const { return is_missing_[static_cast<std::size_t>(sensor)]; }

 private:
  struct Foot {
    int side = kLeft;
    int body = 0;
    Eigen::Matrix3d R_body_foot = Eigen::Matrix3d::Identity();
    Eigen::Vector3d sole_in_body = Eigen::Vector3d::Zero();  ///< centre of the sole [m]
    double half_length = 0.0;                                ///< of the sole's diagonal [m]
    Inertia inertia;                                         ///< of the body below the ankle, in the foot frame
    Eigen::Vector3d rest_sum = Eigen::Vector3d::Zero();      ///< specific force at rest, in the axes of the IMU
  };
  struct Inertial {
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d specific_force = Eigen::Vector3d::Zero();
  };
  /// The newest of the values that were put in `length` times, and the oldest of them.
  template <typename Value>
  class Delay {
   public:
    Delay(int ticks, const Value& value) : values_(static_cast<std::size_t>(ticks) + 1, value) {}
    const Value& pass(const Value& value) {
      values_[at_] = value;
      at_ = (at_ + 1) % values_.size();
      return values_[at_];
    }

   private:
    std::vector<Value> values_;
    std::size_t at_ = 0;
  };

  bool is_usable(const SensorReadings& readings, Sensor sensor, bool is_finite);
  void read(const SensorReadings& readings);
  void read_feet(const SensorReadings& readings);
  Eigen::Vector3d sole_in_imu(const Foot& foot) const;
  double contact_density(std::size_t index) const;
  void rest(const Inertial& inertial);
  void start();
  Eigen::Vector3d upwards_at_rest(int& num_units) const;
  void correct();
  void predict_now();

  const RobotModel* robot_;
  Settings settings_;
  TreeKinematics kinematics_;
  Eigen::Isometry3d T_base_imu_;
  std::vector<Foot> feet_;
  ContactFilter filter_;
  int lag_ticks_;  ///< of the slower of IMU and encoders
  Delay<Inertial> imu_delay_;
  Delay<Eigen::VectorXd> encoder_delay_;

  Eigen::VectorXd q_;  ///< base at the origin, joints as in the filter's tick
  Eigen::VectorXd joint_position_, joint_velocity_;
  Inertial inertial_;
  bool has_encoders_ = false;
  std::array<Eigen::Vector3d, 2> foot_angular_velocity_, foot_specific_force_;
  std::array<Wrench, 2> foot_wrench_;
  std::array<double, 2> trust_{1.0, 1.0};
  std::array<bool, kSensorNames.size()> is_missing_{};

  bool has_started_ = false;
  int rest_ticks_ = 0;
  Inertial rest_sum_;
  ContactFilter::State placed_, now_;
  Eigen::Vector3d angular_velocity_now_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d smooth_angular_velocity_ = Eigen::Vector3d::Zero();  ///< after the low-pass
  int num_slips_ = 0;
};

}  // namespace aplomb
