#pragma once

#include <optional>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// The posture `seated` of the robot's YAML, or one from its geometry: thighs level, shanks leaned back by 25 degrees
/// (or as far as the ankles allow), the trunk 3 degrees forward, feet flat. With a `chair_height` the hips are as high
/// as the shapes that touch the seat in that posture put them (robot/shapes/seat_shapes.hpp). Throws InvalidValue when
/// the robot cannot sit so low; the message names a height that is possible.
SeatedRobot sit_down(const RobotModel& robot, const Limbs& limbs, std::optional<double> chair_height);

}  // namespace aplomb
