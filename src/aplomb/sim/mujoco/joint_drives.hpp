#pragma once

#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/sim/mujoco/engine.hpp"

namespace aplomb {

/// Gives a command to the simulated joint drives, which hold it until the next one. A drive of a torque-controlled
/// robot applies, within its torque limit,
///   τ = torque + stiffness (position − q) + damping (velocity − q̇);
/// a position servo has gains of its own (the robot's YAML) and uses the commanded position only. Springs and dampers
/// act at the rate of the physics, inside the engine's implicit integration.
void command_drives(const RobotModel& robot, const Command& command, Engine& engine);

}  // namespace aplomb
