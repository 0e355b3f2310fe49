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
  /// As printed for a robot of this mass [kg]: Γ11 = diag{40, 40, 20}/m, Γ12 = diag{8, 8, 3}/m, Γ21 = 20, up last. The
  /// paper states no gains of the posture: those by rule.
  static BalanceGains as_printed(double mass, double height);
  /// The settings' own gains; those that they leave open by rule, or as printed.
  static BalanceGains for_settings(const MomentumBalance::Settings& settings, double mass, double height);
};

/// Posture weights d of JointAccelerations: joints between base and soles keep their posture, the others may swing,
/// since swinging arms and trunk help to keep the balance. Arms that are excluded have infinite weight: they keep to
/// their posture whatever the momentum.
Eigen::VectorXd posture_weight(const RobotModel& model, bool excludes_arms = false);
/// As printed: all joints alike, without the arms.
Eigen::VectorXd printed_posture_weight(const RobotModel& model);

/// Stiffness and damping of each joint's drive about the twice integrated joint accelerations   (Lee & Goswami 2010,
/// eq. 17).
struct DriveGains {
  Eigen::VectorXd stiffness;  ///< G_p [N m/rad]
  Eigen::VectorXd damping;    ///< G_d [N m s/rad]

  static DriveGains for_robot(const RobotModel& model, const RobotState& posture, double height);
};

}  // namespace aplomb
