#pragma once

#include <memory>

#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// The simulated robot: the scenario's robot, modified by its key `plant`. Throws FileError.
std::shared_ptr<const RobotModel> load_plant(const Scenario& scenario, RisePlanner& robots);

/// The robot model of planner and controller: `robot_model`, or else the robot itself. A URDF without a YAML gets the
/// robot's roles, soles, postures and actuation. Throws FileError unless its joints are those of `plant`.
std::shared_ptr<const RobotModel> load_believed(const Scenario& scenario, const RobotModel& plant, RisePlanner& robots);

}  // namespace aplomb
