#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "info/write_yaml.hpp"
#include "shared/robot_text.hpp"
#include "verbs.hpp"

namespace aplomb {

Action add_info(CLI::App& program) {
  struct Options {
    std::string robot;
    std::optional<std::string> yaml;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(program, "info", "Describe a robot: joints, limits, mass, CoM, soles, roles.",
                            "  aplomb info coman\n"
                            "  aplomb info path/to/robot.urdf    works without a YAML beside it\n"
                            "  aplomb info robot.urdf --write-yaml robot.yaml");
  verb->add_option("ROBOT", options->robot, "a name from `aplomb list`, or a URDF file")->required();
  verb->add_option("--write-yaml", options->yaml, "guess roles, soles and a posture from the URDF, and write them here")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "print as JSON");
  return [options] {
    const std::string ending = std::filesystem::path(options->robot).extension().string();
    if (ending == ".yaml" || ending == ".yml") {
      throw FileError({.file = options->robot},
                      "is not a URDF; give the URDF that it belongs to, or ask `aplomb doctor` about this file");
    }
    if (options->yaml) return write_yaml_command(options->robot, *options->yaml, options->json);
    const RobotModel robot = RobotModel::load(options->robot);
    print(options->json ? robot_json(robot) : robot_text(robot));
    return kSuccess;
  };
}

}  // namespace aplomb
