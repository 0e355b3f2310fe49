#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/estimate/contact_filter.hpp"
#include "aplomb/estimate/frozen_watch.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Base pose and twist, and the load on each foot, from the sensors that a robot has: the inertial measurement unit
/// (IMU) of the pelvis, joint encoders, IMUs of the feet and force/torque sensors at the ankles.
///
/// A ContactFilter with one contact point a foot, the origin of its frame, where its IMU is. How far a contact is
/// trusted depends on its load without a threshold: its point moves as a random walk whose density falls from
/// `loose_density` to `firm_density` as the load rises from `unloaded_fraction` to `loaded_fraction` of the weight.
///
/// The ground may move. Each foot has a velocity of its own in the filter. While the foot's IMU shows neither
/// acceleration nor turning, the foot is at rest: its velocity is measured as zero, within `still.speed`, and does not
/// change. The more of them it shows, the looser both become, geometrically up to `moving`: the encoders then show how
/// the foot moves below the pelvis, whose own IMU tells how the pelvis moves. The velocity of robot and ground together
/// is no longer observed; that it is zero within `moving.speed` keeps it from drifting away. A foot without an IMU
/// counts as at rest. A foot whose innovation is outside `slip_bound` slips: its point is placed anew, and it moves.
///
/// Hips on a seat and hands that press on something are contact points too, trusted by their load. That of the seat no
/// sensor measures: it is what the feet and hands do not carry of the weight and of the body's acceleration.
///
/// The estimate starts at rest: the first kRestTicks readings give the gyroscope's bias and the tilt. A single
/// accelerometer at rest cannot tell its bias and its mounting from a tilt; those of pelvis and feet, seen through the
/// joints, have three independent errors, and their mean is taken. Position and heading cannot be observed; they begin
/// where the robot was placed, and drift slowly.
class BaseEstimator {
 public:
  static constexpr int kRestTicks = 100;  ///< readings at rest from which the filter is started

  /// Spectral densities of what is known of a foot's motion.
  struct FootMotionNoise {
    double speed;         ///< of the measurement that its velocity is zero [m/s √s]
    double acceleration;  ///< random walk of its velocity [m/s²/√Hz]
  };

  struct Settings {
    double period_s = 1e-3;  ///< between readings
    ContactFilter::Noise imu;
    double gyroscope_bias = 0.01;      ///< standard deviation at the start [rad/s]
    double accelerometer_bias = 0.03;  ///< standard deviation at the start [m/s²]
    double mounting_rad = 0.0;         ///< standard deviation of each angle of the IMU's mounting
    double imu_delay_s = 0.0;          ///< rounded to ticks
    double encoder_delay_s = 0.0;      ///< rounded to ticks
    double kinematic_noise_m = 2e-4;   ///< standard deviation of a foot's position from the encoders
    double firm_density = 5e-4;        ///< of a loaded contact [m/√s]
    double loose_density = 1.0;        ///< of a contact without load [m/√s]
    FootMotionNoise still = {2e-4, 1e-4};
    FootMotionNoise moving = {0.7, 3.0};
    double still_acceleration = 0.03;          ///< low-passed acceleration that a foot at rest may show [m/s²]
    double still_turning = 0.005;              ///< low-passed angular velocity that a foot at rest may show [rad/s]
    double motion_cutoff_hz = 10.0;            ///< of that low-pass
    double motion_time_s = 0.5;                ///< a foot that moved is at rest again within this time constant
    bool has_seat = false;                     ///< the robot may sit: its hips are a contact point
    bool has_hands = false;                    ///< there is something to press on: so are the hands
    double seat_density = 5e-3;                ///< of hips that carry the whole weight: they roll and the seat yields
    double hand_density = 2e-3;                ///< of a hand that presses
    double unloaded_fraction = 0.02;           ///< of the weight
    double loaded_fraction = 0.15;             ///< of the weight
    double angular_velocity_cutoff_hz = 20.0;  ///< low-pass of what controllers get; the filter takes the raw readings
    double slip_bound = 21.1;                  ///< chi-square, 3 degrees of freedom: exceeded once in 10⁴ ticks
  };

  /// `robot` is the robot as believed; it must outlive this object. `placed` is where it was placed: base position and
  /// heading are taken from it. Throws InvalidValue when the pelvis is not fixed to the base, or on a delay over 50 ms.
  BaseEstimator(const RobotModel& robot, const Settings& settings, const RobotState& placed);

  /// One tick; never allocates. Readings that are lost, not finite or frozen are replaced by the last ones.
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
  /// Vertical force of the seat, not measured but estimated; 0 without a seat [N].
  double seat_force() const { return seat_force_; }
  /// How sure it is that each foot moves: 0 at rest, 1 moving.
  double motion_of(int side) const { return motion_[static_cast<std::size_t>(side)]; }
  /// Velocity and acceleration of each foot's origin, world axes, low-passed accelerometer included.
  const std::array<FootMotion, 2>& foot_motion() const { return foot_motion_; }
  int num_slips() const { return num_slips_; }
  /// Whether the last reading of this sensor could not be used.
  bool is_missing(Sensor sensor) const { return is_missing_[static_cast<std::size_t>(sensor)]; }

 private:
  struct Foot {
    int side = kLeft;
    int body = 0;
    Eigen::Isometry3d T_body_foot = Eigen::Isometry3d::Identity();
    Inertia inertia;                                         ///< of the body below the ankle, in the foot frame
    Eigen::Vector3d rest_force = Eigen::Vector3d::Zero();    ///< sum of specific forces at rest, in the foot's axes
    Eigen::Vector3d rest_turning = Eigen::Vector3d::Zero();  ///< sum of angular velocities at rest
    Eigen::Vector3d R_rest_force = Eigen::Vector3d::Zero();  ///< sum of specific forces, in the axes of the IMU
    Eigen::Vector3d force_bias = Eigen::Vector3d::Zero();    ///< of its accelerometer, as found at rest [m/s²]
    Eigen::Vector3d turning_bias = Eigen::Vector3d::Zero();  ///< of its gyroscope, as found at rest [rad/s]
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< low-passed, world axes [m/s²]
    Eigen::Vector3d turning = Eigen::Vector3d::Zero();       ///< low-passed, foot axes [rad/s]
    double shown = 0.0;  ///< motion that its IMU shows, over what a foot at rest may show; decays
  };
  /// A contact point other than a foot.
  struct Support {
    std::optional<int> hand;  ///< side; absent: the seat
    int body = 0;
    Eigen::Vector3d in_body = Eigen::Vector3d::Zero();     ///< [m]
    Eigen::Matrix3d R_body = Eigen::Matrix3d::Identity();  ///< axes of its force
    double firm_density = 0.0;                             ///< under full load [m/√s]
    double trust = 0.0;
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

  bool is_usable(const SensorReadings& readings, Sensor sensor, const Eigen::Ref<const Eigen::VectorXd>& values,
                 bool moves);
  /// Whether the gyroscopes show that joints turn between pelvis and a foot.
  bool joints_turn() const;
  void read(const SensorReadings& readings);
  void read_feet(const SensorReadings& readings);
  void add_supports();
  void read_hands(const SensorReadings& readings);
  void watch_seat(const Inertial& inertial);
  void correct(int contact, const Eigen::Vector3d& measured);
  Eigen::Vector3d foot_in_imu(const Foot& foot) const;
  Eigen::Vector3d support_in_imu(const Support& support) const;
  Eigen::Matrix3d R_imu_foot(const Foot& foot) const;
  double contact_density(std::size_t index) const;
  void watch_motion(Foot& foot);
  FootMotionNoise motion_noise(const Foot& foot) const;
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
  std::vector<Support> supports_;
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
  std::array<Eigen::Vector3d, 2> hand_force_;  ///< in the hand's frame [N]
  double seat_force_ = 0.0;
  std::array<double, 2> trust_{1.0, 1.0};
  std::array<double, 2> motion_{};
  std::array<FootMotion, 2> foot_motion_;
  std::array<bool, kSensorNames.size()> is_missing_{};
  std::vector<FrozenWatch> watches_;  ///< by sensor

  bool has_started_ = false;
  int rest_ticks_ = 0;
  Inertial rest_sum_;
  ContactFilter::State placed_, now_;
  Eigen::Vector3d angular_velocity_now_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d smooth_angular_velocity_ = Eigen::Vector3d::Zero();  ///< after the low-pass
  int num_slips_ = 0;
};

}  // namespace aplomb
