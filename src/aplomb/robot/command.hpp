#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>

namespace aplomb {

/// How a tick went.
enum class CommandStatus {
  solved,             ///< the command is what the controller wanted
  held_last_command,  ///< a reading or a solve was unusable: the last good command stands
};

/// What a controller asks of the joints, once a tick. Each drive applies, within its limit,
///   τ = torque + stiffness (position − q) + damping (velocity − q̇)
/// at the rate of the physics. A torque-controlled robot leaves stiffness and damping at zero unless it wants them;
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
  /// CoP that the controller commands for each foot, in the foot's frame [m]; not a number where it commands none. The
  /// drives do not use it: a run compares it with the measured one.
  std::array<Eigen::Vector2d, 2> foot_cop = {Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN()),
                                             Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN())};
};

}  // namespace aplomb
