#include "shared/load_robot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_file.hpp"

namespace aplomb {

RobotModel load_robot(const std::string& name, const std::optional<std::string>& model_file) {
  RobotModel robot = RobotModel::load(name);
  if (!model_file) return robot;
  const auto read_model = [&] {
    const Urdf urdf = read_robot_file(*model_file);
    try {
      return RobotModel(urdf, robot.description());
    } catch (const UnknownName& error) {
      throw FileError({*model_file}, fmt::format("is not a model of robot '{}': {}", name, error.what()));
    }
  };
  RobotModel model = read_model();
  if (!std::ranges::equal(robot.joints(), model.joints(), {}, &Joint::name, &Joint::name)) {
    throw FileError({*model_file},
                    fmt::format("has other joints than robot '{}'; it must be a model of the same robot", name));
  }
  return model;
}

}  // namespace aplomb
