#pragma once

#include <string>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

std::string robot_text(const RobotModel& robot);  ///< description of a robot for the terminal
std::string robot_json(const RobotModel& robot);  ///< description of a robot as JSON

}  // namespace aplomb
