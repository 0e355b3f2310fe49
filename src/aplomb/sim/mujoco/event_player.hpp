#pragma once

// Private to sim/.
#include <vector>

#include "aplomb/sim/mujoco/engine.hpp"
#include "aplomb/sim/mujoco/spring_contacts.hpp"

namespace aplomb {

/// Applies the scheduled events to the engine, step by step.
class EventPlayer {
 public:
  EventPlayer(const RobotModel& robot, const SimulationEvents& events, const MujocoModel& built);

  /// Before each physics step. Clears the forces of the step before.
  void apply(Engine& engine, SpringContacts& springs);
  Eigen::Vector3d push_force(const Engine& engine) const;  ///< sum of all pushes now, world axes [N]

 private:
  struct Target {
    int body = 0;
    Eigen::Vector3d in_body = Eigen::Vector3d::Zero();
  };
  void apply_pushes(Engine& engine) const;
  void change_friction(Engine& engine, SpringContacts& springs);
  void lose_contacts(Engine& engine, SpringContacts& springs) const;
  void hand_over_payloads(Engine& engine);

  SimulationEvents events_;
  std::vector<Target> push_targets_, payload_targets_;
  std::vector<bool> is_friction_changed_, is_handed_over_;
};

}  // namespace aplomb
