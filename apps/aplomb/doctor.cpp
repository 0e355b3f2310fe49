#include <fmt/format.h>

#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/text_file.hpp"
#include "aplomb/core/yaml.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "describe_robot.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

void diagnose_urdf(const std::filesystem::path& file) {
  const RobotModel robot = RobotModel::from_urdf(file);
  fmt::print("{}: a URDF robot, nothing wrong with it\n\n{}", file.string(), robot_text(robot));
}

void diagnose_scenario(const std::filesystem::path& file) {
  const Scenario scenario = load_scenario(file.string());
  const RobotModel robot = RobotModel::load(scenario.robot);
  check_start(scenario, robot);
  const RobotPushes fitted = fit_pushes(scenario, robot);
  fmt::print("{}: scenario '{}', nothing wrong with it\n\n", file.string(), scenario.name);
  fmt::print("about       {}\n", scenario.about);
  fmt::print("robot       {} ({:.2f} kg, {} joints)\n", robot.name(), robot.mass(), robot.num_joints());
  fmt::print("controller  {}\n", scenario.controller.kind);
  fmt::print("duration    {} s, {} pushes, {} checks\n", scenario.duration_s, fitted.pushes.size(),
             scenario.checks.size());
  for (const std::string& note : fitted.notes) fmt::print("note        {}\n", note);
}

void diagnose_robot_yaml(const std::filesystem::path& file) {
  const RobotDescription description = read_robot_yaml(file);
  const RobotModel robot(read_urdf(description.urdf), description);
  fmt::print("{}: a robot's description, nothing wrong with it\n\n{}", file.string(), robot_text(robot));
}

int doctor_command(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".urdf" || extension == ".xml" || extension == ".xacro") {
    diagnose_urdf(file);
  } else if (extension == ".yaml" || extension == ".yml") {
    const YamlNode root = read_yaml(file);
    // A robot's description has `robot` and no `scenario`; anything else is judged as a scenario.
    const bool is_robot =
        root.find("robot") != nullptr && root.find("scenario") == nullptr && root.find("duration_s") == nullptr;
    is_robot ? diagnose_robot_yaml(file) : diagnose_scenario(file);
  } else {
    read_file(file, 1 << 20);  // a missing file or a folder is said before its ending is
    throw FileError({.file = file.string()},
                    fmt::format("do not know what to do with '{}'; valid: .urdf (a robot), .yaml (a scenario or a "
                                "robot's description)",
                                extension));
  }
  return kSuccess;
}

}  // namespace

Action add_doctor(CLI::App& program) {
  auto file = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand("doctor",
                                          "What is in this file, and what is wrong with it: URDF, scenario, robot "
                                          "description.\n\n  aplomb doctor my_robot.urdf");
  verb->add_option("FILE", *file, "a .urdf or .yaml file")->required();
  return [file] { return doctor_command(*file); };
}

}  // namespace aplomb
