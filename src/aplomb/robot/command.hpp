#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>

namespace aplomb {

/// Outcome of a control tick.
enum class CommandStatus {
  solved,           ///< the command is the controller's solution
  reading_missing,  ///< a reading that the controller needs is lost or not finite: the last valid command is repeated
  solve_failed,     ///< a solve failed: the last valid command is repeated, or torques are clamped to their limits
  deadline_missed,  ///< a solve was ended by its budget of operations: the command is the controller's stated fallback
};

/// Joint command of a controller, one per tick. Each drive applies, within its limit,
///   τ = torque + stiffness (position − q) + damping (velocity − q̇)
/// at the rate of the physics. On a torque-controlled robot stiffness and damping may be zero;
/// a position-controlled robot (`actuation: servo`) has its own stiffness and damping, and only `position` counts.
struct Command {
  explicit Command(int num_joints)
      : torque(Eigen::VectorXd::Zero(num_joints)),
        position(Eigen::VectorXd::Zero(num_joints)),
        velocity(Eigen::VectorXd::Zero(num_joints)),
        stiffness(Eigen::VectorXd::Zero(num_joints)),
        damping(Eigen::VectorXd::Zero(num_joints)) {}

  Eigen::VectorXd torque;     ///< [N m]
  Eigen::VectorXd position;   ///< [rad]
  Eigen::VectorXd velocity;   ///< [rad/s]
  Eigen::VectorXd stiffness;  ///< [N m/rad]
  Eigen::VectorXd damping;    ///< [N m s/rad]
  CommandStatus status = CommandStatus::solved;
  /// CoP that the controller commands for each foot, in the foot frame [m]; NaN where it commands none. The drives do
  /// not use it; the metrics compare it with the measured CoP.
  std::array<Eigen::Vector2d, 2> foot_cop = {Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()),
                                             Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN())};
};

}  // namespace aplomb
