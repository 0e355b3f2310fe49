#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Checks of every rise from a seat, unless the scenario has its own on the same metric. Their bounds come from the
/// robot's limits and weight; docs/metrics.md, "What a rise is judged on", derives them.
std::vector<Check> rise_checks(const RobotModel& robot);
/// Further checks where the plan takes a seat.
std::vector<Check> sit_down_checks();

}  // namespace aplomb
