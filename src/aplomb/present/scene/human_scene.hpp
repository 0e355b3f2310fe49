#pragma once

#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/report/scene.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The nodes of a person in a replay: bones, head, hands and feet of `robot` = human_robot(skeleton), moved by the
/// columns posture_columns(robot, prefix). Node i is the robot's body i.
std::vector<SceneNode> person_nodes(const Skeleton& skeleton, const RobotModel& robot, const std::string& prefix = {});

/// The replay of a trial: the fitted skeleton with its markers and the measured ones, CoM, CoP, plate forces, and the
/// times of seat-off. `log` is the log of the trial's report: one row per frame.
Scene make_human_scene(const TrialAnalysis& analysis, const Log& log);

}  // namespace aplomb
