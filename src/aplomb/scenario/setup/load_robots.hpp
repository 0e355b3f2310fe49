#pragma once

#include <memory>

#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// The simulated robot: the one that the scenario names, changed as its key `plant` says. Throws FileError.
std::shared_ptr<const RobotModel> load_plant(const Scenario& scenario, RisePlanner& robots);

/// The robot that planner and controller believe in: `robot_model`, or else the robot itself. A URDF without a YAML
/// gets the robot's own roles, soles, postures and drives. Throws FileError unless its joints are those of `plant`.
std::shared_ptr<const RobotModel> load_believed(const Scenario& scenario, const RobotModel& plant, RisePlanner& robots);

}  // namespace aplomb
