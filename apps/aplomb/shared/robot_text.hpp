#pragma once

#include <string>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

std::string robot_text(const RobotModel& robot);  ///< a page for the terminal
std::string robot_json(const RobotModel& robot);  ///< the same for programs

}  // namespace aplomb
