#pragma once

#include "aplomb/human/human_trial.hpp"
#include "aplomb/report/scene.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// The replay of a retargeted rise: the robot on its chair with its target markers, and beside it, synchronised, the
/// person in full size with the measured ones; CoM and ZMP of the plan, its contact force, the instant of seat-off. Its
/// columns are those of the report's log (describe()) and its own tracks.
Scene make_retarget_scene(const HumanTrial& trial, const RobotModel& robot, const Retargeted& retargeted);

}  // namespace aplomb
