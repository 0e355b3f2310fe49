#pragma once

#include <map>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// How the simulated robot differs from what planner and controller believe.
struct Plant {
  double mass_scale = 1.0;                        ///< of every link, inertia along
  std::map<std::string, double> link_mass_scale;  ///< of one link or role, on top
  Place link_mass_place;                          ///< where that is written
  double torque_limit_scale = 1.0;
  double drive_delay_s = 0.0;  ///< from command to drive, rounded to control ticks

  bool changes_robot() const { return mass_scale != 1.0 || !link_mass_scale.empty() || torque_limit_scale != 1.0; }
};

Schema plant_schema();  ///< of the key `plant`
Plant read_plant(const YamlView& view);

/// The robot as it really is. Throws FileError on a link that it does not have or that has no mass.
RobotModel make_plant(const RobotModel& believed, const Plant& plant);

}  // namespace aplomb
