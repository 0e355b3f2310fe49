#pragma once

#include <string>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// What the simulator gets.
struct FittedEvents {
  SimulationEvents events;
  std::string payload_link;        ///< whose payload is estimated; empty: none is
  std::vector<std::string> notes;  ///< where a role that the robot lacks was replaced by the next best
};

/// Fits a scenario's events to a robot. Roles become links: a head that the robot lacks is replaced by its trunk, a
/// trunk by its pelvis, a pelvis by its base. An impulse J over the time T becomes the peak force of its shape, J / T
/// for a box and π J / (2 T) for half a sine; a force per weight is multiplied by m g. Throws FileError on a link that
/// the robot does not have.
FittedEvents fit_events(const Scenario& scenario, const RobotModel& robot);

/// The link for `wanted`, a role or a link that stands under `key` at `place`. Throws FileError when there is none.
std::string find_link(const Place& place, const std::string& key, const std::string& wanted, const RobotModel& robot,
                      std::vector<std::string>& notes);

}  // namespace aplomb
