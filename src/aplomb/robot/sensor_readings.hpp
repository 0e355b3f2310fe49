#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string_view>

#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// Left or right: the index into every pair of feet or hands.
enum Side : int { kLeft = 0, kRight = 1 };

/// A force and a moment. Axes and reference point are documented where it is used.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
};

/// Motion of the origin of a foot's frame, in world axes.
struct FootMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< [m/s]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
};

/// Sensors of a robot, by the names of a scenario's `sensors`.
enum class Sensor : int {
  joint_position,
  joint_velocity,
  base_position,
  base_orientation,
  base_velocity,
  base_angular_velocity,
  left_foot_wrench,
  right_foot_wrench,
  left_hand_wrench,
  right_hand_wrench,
  seat_wrench,
  imu_acceleration,
  imu_angular_velocity,
  left_load_cells,
  right_load_cells,
  left_ankle_wrench,
  right_ankle_wrench,
  left_foot_acceleration,
  right_foot_acceleration,
  left_foot_angular_velocity,
  right_foot_angular_velocity,
};
inline constexpr std::array<std::string_view, 21> kSensorNames = {"joint_position",
                                                                  "joint_velocity",
                                                                  "base_position",
                                                                  "base_orientation",
                                                                  "base_velocity",
                                                                  "base_angular_velocity",
                                                                  "left_foot_wrench",
                                                                  "right_foot_wrench",
                                                                  "left_hand_wrench",
                                                                  "right_hand_wrench",
                                                                  "seat_wrench",
                                                                  "imu_acceleration",
                                                                  "imu_angular_velocity",
                                                                  "left_load_cells",
                                                                  "right_load_cells",
                                                                  "left_ankle_wrench",
                                                                  "right_ankle_wrench",
                                                                  "left_foot_acceleration",
                                                                  "right_foot_acceleration",
                                                                  "left_foot_angular_velocity",
                                                                  "right_foot_angular_velocity"};

/// All measurements that a controller gets in one tick.
struct SensorReadings {
  double time_s = 0.0;
  /// Joints as from encoders; base pose and twist as from motion capture or, on a robot without it, as estimated.
  RobotState state;
  /// Ground reaction wrench on each foot, expressed in and about the foot frame.
  std::array<Wrench, 2> foot_wrench;
  std::array<Wrench, 2> hand_wrench;  ///< contact wrench on each hand, in and about the hand frame
  Wrench seat_wrench;  ///< wrench of the chair on the robot: world axes, about the middle of the seat's front edge
  Eigen::Vector3d imu_acceleration = Eigen::Vector3d::Zero();  ///< specific force of the pelvis, in its axes [m/s²]
  Eigen::Vector3d imu_angular_velocity =
      Eigen::Vector3d::Zero();  ///< angular velocity of the pelvis, in its axes [rad/s]
  /// Normal force at each corner of the soles [N], in the order of the robot's load cells, or of Sole::corners() when
  /// its YAML lists none.
  std::array<std::array<double, 4>, 2> load_cells{};
  std::array<bool, kSensorNames.size()> is_lost{};  ///< not fitted, or reported as lost by the bus; it reads zero
  /// Wrench of each foot on its ankle's force/torque sensor, expressed in and about the foot frame: the ground
  /// reaction less what carries and accelerates the foot itself.
  std::array<Wrench, 2> ankle_wrench;
  /// Specific force [m/s²] and angular velocity [rad/s] at each foot's origin, in its axes.
  std::array<Eigen::Vector3d, 2> foot_acceleration = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  std::array<Eigen::Vector3d, 2> foot_angular_velocity = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  /// Motion of each foot where an estimator is in the loop: what its joint rates, differentiated by the drives, show of
  /// it is noisier.
  std::array<FootMotion, 2> foot_motion;
  bool has_foot_motion = false;

  bool lost(Sensor sensor) const { return is_lost[static_cast<std::size_t>(sensor)]; }
  /// Whether `state` is known: all of its sensors answer, with finite values.
  bool has_state() const {
    for (Sensor sensor : {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position,
                          Sensor::base_orientation, Sensor::base_velocity, Sensor::base_angular_velocity}) {
      if (lost(sensor)) return false;
    }
    return state.q.allFinite() && state.v.allFinite();
  }
};

/// The point (x, y) of the plane at height z about which a wrench has no horizontal moment: the CoP of a foot for the
/// height z of its sole. NaN without a normal force.
inline Eigen::Vector2d centre_of_pressure(const Wrench& wrench, double z) {
  if (!(wrench.force.z() > 0.0)) return Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
  return Eigen::Vector2d(z * wrench.force.x() - wrench.moment.y(), z * wrench.force.y() + wrench.moment.x()) /
         wrench.force.z();
}

}  // namespace aplomb
