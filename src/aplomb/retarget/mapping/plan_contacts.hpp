#pragma once

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Contact schedule of a plan whose samples are the frames of `human`: both feet, the seat, and hands on arm rests.
ContactPlan plan_contacts(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                          const SeatedRobot& seated);

}  // namespace aplomb
