#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/keys/partial_force_keys.hpp"
#include "aplomb/scenario/keys/task_keys.hpp"

namespace aplomb {

/// The keys of kind momentum_balance; what is absent comes from the robot.
struct MomentumBalanceRequest {
  ContactForces::Mode mode = ContactForces::Mode::lexicographic;
  std::optional<Eigen::Vector3d> com_damping, com_stiffness;  ///< [1/s], [1/s²]
  std::optional<double> angular_damping;                      ///< [1/s]
  double contact_ramp_s = 0.02;
};

struct ControllerRequest {
  std::string kind;  ///< one of controller_kinds()
  double gain_scale = 1.0;
  bool feeds_forward = false;  ///< of joint_pd with a plan
  MomentumBalanceRequest momentum_balance;
  PartialForceRequest partial_force;
  TaskPriorityRequest task_priority;
};

/// The words of `controller.kind`.
const std::vector<std::string>& controller_kinds();

Schema controller_schema();  ///< of the key `controller`
ControllerRequest read_controller(const YamlView& view);

}  // namespace aplomb
