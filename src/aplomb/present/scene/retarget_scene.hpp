#pragma once

#include "aplomb/human/human_trial.hpp"
#include "aplomb/report/scene.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// The replay of a retargeted rise: the robot on its chair with its target markers, and beside it, synchronised, the
/// person in full size with the measured markers; CoM, ZMP and contact force of the plan, the time of seat-off. It uses
/// the columns of the report's log (describe()) and its own tracks.
Scene make_retarget_scene(const HumanTrial& trial, const RobotModel& robot, const Retargeted& retargeted);

}  // namespace aplomb
