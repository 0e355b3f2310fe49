#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// The posture in which a run begins.
struct StartRequest {
  std::string posture = "half_sitting";
  std::optional<int> standing_side;                ///< absent: on both feet
  std::map<std::string, double> joint_offset_rad;  ///< added to the posture, by joint
};

/// Start of a run: the robot in its posture on the ground, and the world placed around it.
struct Start {
  RobotState state;
  World world;
};

/// Tells where a setting is written ("world.chair.height_m"), so that errors can name file and line.
using PlaceOf = std::function<Place(std::string_view key)>;

/// Fits start posture and world to a robot. Supports are placed under the soles, and the legs reach for them; with a
/// standing side the CoM is moved above that sole and the other foot lifted; the chair is placed under the hips,
/// where a plan takes the seat later under those. With a plan the robot begins in the plan's first posture. Throws
/// FileError, InvalidValue when the robot cannot start so.
Start make_start(const StartRequest& request, const World& world, const RobotModel& robot,
                 const MotionPlan* plan = nullptr, const PlaceOf& place_of = {});

/// Throws FileError or InvalidValue when the robot lacks the posture or a joint, or a joint would be outside its
/// limits.
void check_start(const StartRequest& request, const RobotModel& robot, const PlaceOf& place_of = {});

/// Places the walls that are defined relative to a hand; `state` is the start. Throws InvalidValue when the robot does
/// not have that hand.
void place_walls(World& world, const RobotModel& robot, const RobotState& state);

}  // namespace aplomb
