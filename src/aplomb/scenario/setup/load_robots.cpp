#include "aplomb/scenario/setup/load_robots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/robot_file.hpp"
#include "aplomb/scenario/setup/plant.hpp"

namespace aplomb {
namespace {

/// Loads the robot that the scenario names under `key`.
std::shared_ptr<const RobotModel> load_robot(const Scenario& scenario, const char* key, const std::string& name,
                                             RisePlanner& robots) {
  const bool is_path = is_robot_path(name);
  const std::vector<std::string> known = robot_names();
  if (!is_path && std::ranges::find(known, name) == known.end()) {
    throw FileError(scenario.place(key),
                    fmt::format("{}: no robot named '{}'; {}; a file's name ends in .urdf, .xml or .yaml", key,
                                shortened(name), suggestion(name, known)));
  }
  return robots.load(name);
}

void require_same_joints(const Scenario& scenario, const RobotModel& robot, const RobotModel& believed) {
  const std::vector<Joint>&ours = robot.joints(), &theirs = believed.joints();
  const auto [our, their] = std::ranges::mismatch(ours, theirs, {}, &Joint::name, &Joint::name);
  if (our == ours.end() && their == theirs.end()) return;
  const auto name = [](auto joint, const std::vector<Joint>& all) {
    return joint == all.end() ? "no further one" : fmt::format("'{}'", joint->name);
  };
  throw FileError(scenario.place("robot_model"),
                  fmt::format("robot_model: {} has other joints than {} ({} and {}; joint {} is {} and {}): it must be "
                              "a model of the same robot",
                              believed.name(), robot.name(), theirs.size(), ours.size(), our - ours.begin(),
                              name(their, theirs), name(our, ours)));
}

}  // namespace

std::shared_ptr<const RobotModel> load_plant(const Scenario& scenario, RisePlanner& robots) {
  const std::shared_ptr<const RobotModel> robot = load_robot(scenario, "robot", scenario.robot, robots);
  if (!scenario.plant.changes_robot()) return robot;
  return std::make_shared<const RobotModel>(make_plant(*robot, scenario.plant));
}

std::shared_ptr<const RobotModel> load_believed(const Scenario& scenario, const RobotModel& plant,
                                                RisePlanner& robots) {
  if (scenario.robot_model.empty()) return load_robot(scenario, "robot", scenario.robot, robots);
  std::shared_ptr<const RobotModel> believed = load_robot(scenario, "robot_model", scenario.robot_model, robots);
  if (believed->description().file.empty()) {
    const std::shared_ptr<const RobotModel> robot = load_robot(scenario, "robot", scenario.robot, robots);
    believed = std::make_shared<const RobotModel>(believed->urdf(), robot->description());
  }
  require_same_joints(scenario, plant, *believed);
  return believed;
}

}  // namespace aplomb
