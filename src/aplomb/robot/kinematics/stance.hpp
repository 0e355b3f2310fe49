#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Where the soles shall be. The pelvis keeps its orientation and height.
struct Stance {
  struct Foot {
    Eigen::Isometry3d T_world_sole = Eigen::Isometry3d::Identity();  ///< origin at the sole's centre
    bool is_lifted = false;  ///< its height counts; it stays where it is under the pelvis, and tilts as it likes
  };
  std::array<std::optional<Foot>, 2> feet;
  std::optional<Eigen::Vector2d> com;  ///< where the CoM shall be, seen from above [m]
};

/// Moves base and legs, and nothing else, until the soles are where the stance wants them: Newton's method, each step
/// the smallest that does it, joints inside their limits. Throws InvalidValue with what is left over when the robot
/// cannot get there (1e-6 m, rad).
void take_stance(const RobotModel& robot, const Stance& stance, RobotState& state);

}  // namespace aplomb
