#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Desired poses of the soles. The pelvis keeps its orientation and height.
struct Stance {
  struct Foot {
    Eigen::Isometry3d T_world_sole = Eigen::Isometry3d::Identity();  ///< origin at the sole's centre
    bool is_lifted = false;  ///< height prescribed, horizontal position fixed relative to the pelvis, tilt free
  };
  std::array<std::optional<Foot>, 2> feet;
  std::optional<Eigen::Vector2d> com;  ///< desired CoM, seen from above [m]
};

/// Inverse kinematics of base and legs for a stance: Newton's method with least-norm steps, joints inside their limits.
/// Throws InvalidValue with the residual when it does not converge (1e-6 m, rad).
void take_stance(const RobotModel& robot, const Stance& stance, RobotState& state);

}  // namespace aplomb
