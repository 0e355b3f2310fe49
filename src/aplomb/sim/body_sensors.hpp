#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Ideal readings of the inertial measurement units of pelvis and feet, and of the force/torque sensors at the ankles,
/// from a robot's true states at consecutive ticks.
///
/// An inertial measurement unit integrates within the tick, as strapdown units do: its angular velocity is
/// log(R₀ᵀ R₁) / dt, its specific force Rᵀ ((v₁ − v₀) / dt − g) at the orientation halfway. A reading at one instant
/// would miss what stiff contacts do between two ticks.
///
/// An ankle's sensor carries the foot: with the ground reaction wrench (f, m), the foot's mass, CoM c, inertia I about
/// it, and the specific force s of its CoM, it reads
///   f − mass s,   m − c × mass s − I ω̇ − ω × I ω,
/// in the axes of the foot frame and about its origin.
class BodySensors {
 public:
  explicit BodySensors(const RobotModel& robot);

  /// Fills in the readings of one tick from the robot's true state; `readings.foot_wrench` is the ground reaction. The
  /// first call finds the robot at rest.
  void measure(const RobotState& state, SensorReadings& readings);

 private:
  struct Site {
    int body = 0;
    Eigen::Isometry3d T_body_site = Eigen::Isometry3d::Identity();
    std::vector<int> joints;  ///< that move it
    Eigen::Matrix3d R_world_site = Eigen::Matrix3d::Identity();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< in world axes [m/s]
    Eigen::Vector3d specific_force = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();
  };
  struct Foot {
    Site site;
    Inertia inertia;  ///< of the body below the ankle, in the foot frame
  };

  static Site make_site(const RobotModel& robot, const std::string& link);
  Eigen::Vector3d velocity_of(const Site& site, const RobotState& state) const;
  void move(Site& site, const RobotState& state) const;

  TreeKinematics kinematics_;
  Site pelvis_;
  std::array<std::optional<Foot>, 2> feet_;
  bool has_started_ = false;
};

}  // namespace aplomb
