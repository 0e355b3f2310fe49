#pragma once

// Private to sim/.
#include <Eigen/Core>
#include <cstdint>

#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/sim/drive_errors.hpp"
#include "aplomb/sim/mujoco/engine.hpp"

namespace aplomb {

/// Drives with friction, lag and ripple. Friction is the engine's own (a joint may stick), larger for a joint at rest;
/// the commanded torque is followed with a lag and with a ripple that depends on the joint's angle. The drive's spring
/// and damper act without lag, as they do in ideal drives.
class DriveModel {
 public:
  /// Rotor inertias and phases of the ripple are drawn from `seed`. `robot` must outlive this object.
  DriveModel(const RobotModel& robot, const DriveErrors& errors, std::uint64_t seed);

  void prepare(Engine& engine) const;  ///< rotor inertias, sticking friction: once, before the robot is placed
  /// Friction for the next tick, and the command as the drives carry it out.
  const Command& apply(const Command& command, const RobotState& state, Engine& engine);

 private:
  const RobotModel* robot_;
  DriveErrors errors_;
  Eigen::VectorXd armature_scale_, phase_;
  bool has_torque_ = false;
  Eigen::VectorXd torque_;  ///< after the lag [N m]
  Command command_;
};

}  // namespace aplomb
