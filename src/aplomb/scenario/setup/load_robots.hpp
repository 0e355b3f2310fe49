#pragma once

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// The robot that a scenario names, with its `plant` changed as it says. Throws FileError.
RobotModel load_plant(const Scenario& scenario);

/// The robot that planner and controller believe in: `robot_model`, or else the robot itself. A URDF without a YAML
/// gets the robot's own roles, soles, postures and drives. Throws FileError unless its joints are those of `plant`.
RobotModel load_believed(const Scenario& scenario, const RobotModel& plant);

}  // namespace aplomb
