#pragma once

#include <vector>

#include "aplomb/control/contact/foot_contact.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {

/// The keys of kind partial_force.
struct PartialForceRequest {
  PartialForce::Law law = PartialForce::Law::bounded;
  MotionGains gains, posture_gains;
  bool has_force_feedback = false;
  double contact_ramp_s = 0.1;
  double contact_load_rate = 6.0;  ///< [weights / s]
  std::vector<LevelRamp::Change> level_changes;
  LevelRamp::Settings level_ramp;
  FootContact::Shape foot_shape = FootContact::Shape::flat;
};

Schema partial_force_schema();  ///< of the key `controller.partial_force`
PartialForceRequest read_partial_force(const YamlView& view);

}  // namespace aplomb
