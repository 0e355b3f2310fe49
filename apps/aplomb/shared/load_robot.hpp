#pragma once

#include <optional>
#include <string>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The robot, with the inertias of `model`, a URDF of the same robot, when one is given. Throws UnknownName, FileError.
RobotModel load_robot(const std::string& robot, const std::optional<std::string>& model);

}  // namespace aplomb
