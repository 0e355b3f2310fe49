#pragma once

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Lays the person's markers over the seated robot. Throws InvalidValue when fewer than six markers remain.
Overlay lay_over(const HumanPath& human, const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated,
                 const LinkMap& map);

}  // namespace aplomb
