#pragma once

#include "aplomb/core/scene.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// What a report replays of a retargeted rise: the robot on its chair with the markers that it was given, and beside
/// it, in step, the person in full size with theirs; CoM and ZMP of the plan, its force, the instant of seat-off. Its
/// columns are those of the report's log (describe()) and its own tracks.
Scene make_retarget_scene(const HumanTrial& trial, const RobotModel& robot, const Retargeted& made);

}  // namespace aplomb
