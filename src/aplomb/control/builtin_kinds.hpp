#pragma once

#include "aplomb/control/controller_registry.hpp"

namespace aplomb {

// The kinds of controllers in this room: keys of each, and how it is made from a scenario.
ControllerKind joint_pd_kind();
ControllerKind inverse_dynamics_kind();
ControllerKind momentum_balance_kind();
ControllerKind partial_force_kind();
ControllerKind task_priority_kind();

}  // namespace aplomb
