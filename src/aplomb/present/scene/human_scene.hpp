#pragma once

#include <string>
#include <vector>

#include "aplomb/core/scene.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A person as a replay shows it: bones, head, hands and feet of `robot`, which is human_robot(skeleton), moved by the
/// columns posture_columns(robot, prefix). Node i is the robot's body i.
std::vector<SceneNode> person_nodes(const Skeleton& skeleton, const RobotModel& robot, const std::string& prefix = {});

/// What a report replays of a trial: the fitted skeleton with its markers and the measured ones, CoM, CoP and what the
/// plates measured, the times at which the seat is left. `log` is that of the trial's report: a row a frame.
Scene make_human_scene(const TrialAnalysis& analysis, const Log& log);

}  // namespace aplomb
