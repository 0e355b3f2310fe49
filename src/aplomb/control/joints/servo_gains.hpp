#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Drive gains that make joints behave like position servos. A position-controlled robot has its own gains. For a
/// torque-controlled one, with m its mass, h its CoM's height and ω0 = √(g/h), as stiff for its size as HOAP-3:
///   a joint between base and sole carries the body:  k = 16 m g h,  d = 0.3 k / ω0;
///   any other joint moves its own branch:            k = ω² M_jj,   d = 2 ω M_jj,  ω = 8 ω0.
struct ServoGains {
  Eigen::VectorXd stiffness;  ///< [N m/rad]
  Eigen::VectorXd damping;    ///< [N m s/rad]

  static ServoGains for_robot(const RobotModel& model, const RobotState& posture, double height);
};

/// Stiffness [N m/rad] and damping [N m s/rad] of the whole body about its ankles, both feet on the ground.
struct BodySpring {
  double stiffness = 0.0, damping = 0.0;
  static BodySpring of(const RobotModel& model, const ServoGains& gains);
};

}  // namespace aplomb
