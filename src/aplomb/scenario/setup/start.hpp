#pragma once

#include <string>
#include <vector>

#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// Where a run begins: the robot in its posture, on the ground that is under its feet, and that ground in its place.
struct Start {
  RobotState state;
  World world;
};

/// Fits a scenario's start and world to a robot. Supports come under the soles of the posture, and the legs reach for
/// them; with `feet: left` or `right` the CoM is brought above that sole and the other one lifted; the chair comes
/// under the hips. Throws FileError, InvalidValue when the robot cannot start like that.
/// With a plan the robot begins in the plan's first posture.
Start make_start(const Scenario& scenario, const RobotModel& robot, const MotionPlan* plan = nullptr);

/// Puts the walls that are where a hand is into their place; `state` is the start. Throws InvalidValue when the robot
/// does not have that hand.
void place_walls(World& world, const RobotModel& robot, const RobotState& state);

}  // namespace aplomb
