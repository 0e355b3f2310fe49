#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/robot/robot_description.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "run/identify_experiment.hpp"
#include "shared/table.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

int list_command(bool json) {
  std::vector<std::vector<std::string>> scenarios, robots;
  for (const std::string& name : scenario_names()) {
    const Scenario scenario = load_scenario(name);
    scenarios.push_back({name, scenario.robot, scenario.about});
  }
  for (const std::string& name : experiment_names()) {
    const IdentifyExperiment experiment = load_experiment(*experiment_file(name), {});
    scenarios.push_back({name, experiment.robot, experiment.about});
  }
  for (const std::string& name : robot_names()) robots.push_back({name, read_robot_yaml(robot_yaml(name)).about});
  if (json) {
    nlohmann::ordered_json document = {{"scenarios", nlohmann::ordered_json::array()},
                                       {"robots", nlohmann::ordered_json::array()},
                                       {"controllers", controller_kinds()}};
    for (const auto& row : scenarios) {
      document["scenarios"].push_back({{"name", row[0]}, {"robot", row[1]}, {"about", row[2]}});
    }
    for (const auto& row : robots) document["robots"].push_back({{"name", row[0]}, {"about", row[1]}});
    print(document.dump(2) + "\n");
    return kSuccess;
  }
  print(aligned_table({"scenario", "robot", "about"}, scenarios) + "\n");
  print(aligned_table({"robot", "about"}, robots) + "\n");
  std::vector<std::vector<std::string>> controllers;
  for (const ControllerKind& kind : controller_registry()) controllers.push_back({kind.name, kind.about});
  print(aligned_table({"controller", "about"}, controllers));
  return kSuccess;
}

}  // namespace

Action add_list(CLI::App& program) {
  auto json = std::make_shared<bool>(false);
  CLI::App* verb = add_verb(program, "list", "List scenarios, robots and controllers.",
                            "  aplomb list\n"
                            "  aplomb list --json\n\n"
                            "`aplomb run SCENARIO` runs one of the scenarios, `aplomb info ROBOT` describes a robot.");
  verb->add_flag("--json", *json, "print as JSON");
  return [json] { return list_command(*json); };
}

}  // namespace aplomb
