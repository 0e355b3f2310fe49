#include "aplomb/sim/mujoco/joint_drives.hpp"

namespace aplomb {

void command_drives(const RobotModel& robot, const Command& command, Engine& engine) {
  mjModel& model = engine.model();
  mjData& data = *engine.data;
  const Actuation& actuation = robot.description().actuation;
  const bool is_servo = actuation.kind == Actuation::Kind::servo;
  for (int i = 0; i < robot.num_joints(); ++i) {
    const double stiffness = is_servo ? actuation.stiffness : command.stiffness[i];
    const double damping = is_servo ? actuation.damping : command.damping[i];
    const double feed_forward = is_servo ? 0.0 : command.torque[i] + damping * command.velocity[i];
    // force = ctrl − stiffness q − damping q̇, the last two inside the engine's implicit integration.
    model.actuator_biasprm[i * mjNBIAS + 1] = -stiffness;
    model.actuator_biasprm[i * mjNBIAS + 2] = -damping;
    data.ctrl[i] = feed_forward + stiffness * command.position[i];
  }
}

}  // namespace aplomb
