#pragma once

#include <Eigen/Core>

#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Gains of the momentum balance. By rule they scale with ω = √(g/h), h the CoM's height: the rate at which the robot
/// falls. The paper's robot has h = 0.77 m, ω = 3.57/s.
struct BalanceGains {
  Eigen::Vector3d com_damping;    ///< Γ11 [1/s], world axes: l̇*/m = Γ11 (ċ* − ċ) + Γ12 (c* − c)
  Eigen::Vector3d com_stiffness;  ///< Γ12 [1/s²]
  double angular_damping = 0.0;   ///< Γ21 [1/s]: k̇* = Γ21 (k* − k)
  double posture_stiffness = 0.0, posture_damping = 0.0;  ///< θ̈* = s (θ0 − θ) − d θ̇ [1/s²], [1/s]

  static BalanceGains for_height(double height);
  /// The settings' own gains, and by rule those that they leave open.
  static BalanceGains for_settings(const MomentumBalance::Settings& settings, double height);
};

/// Posture weights d of JointAccelerations: joints between base and soles keep their posture, the others may swing,
/// since swinging arms and trunk help to keep the balance.
Eigen::VectorXd posture_weight(const RobotModel& model);

/// Stiffness and damping of each joint's drive about the twice integrated joint accelerations   (Lee & Goswami 2010,
/// eq. 17).
struct DriveGains {
  Eigen::VectorXd stiffness;  ///< G_p [N m/rad]
  Eigen::VectorXd damping;    ///< G_d [N m s/rad]

  static DriveGains for_robot(const RobotModel& model, const RobotState& posture, double height);
};

}  // namespace aplomb
