#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/robot/robot_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "doctor/diagnose_own_file.hpp"
#include "doctor/diagnose_recording.hpp"
#include "shared/quantity.hpp"
#include "shared/robot_text.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

void diagnose_robot(const std::filesystem::path& file, bool json) {
  const RobotModel robot = RobotModel::from_file(file);
  if (json) return print(robot_json(robot) + "\n");
  const bool is_xml = file.extension() == ".xml" || file.extension() == ".mjcf";
  print(fmt::format("{}: {} robot, no problems found\n\n{}", file.string(), is_xml ? "an MJCF" : "a URDF",
                    robot_text(robot)));
}

void diagnose_scenario(const std::filesystem::path& file) {
  const Scenario scenario = load_scenario(file.string());
  const RobotModel robot = RobotModel::load(scenario.robot);
  check_start(scenario, robot);
  const FittedEvents fitted = fit_events(scenario, robot);
  print(fmt::format("{}: scenario '{}', no problems found\n\n", file.string(), scenario.name));
  print(fmt::format("about       {}\n", scenario.about));
  print(fmt::format("robot       {} ({:.2f} kg, {} joints)\n", robot.name(), robot.mass(), robot.num_joints()));
  print(fmt::format("controller  {}\n", scenario.controller.kind));
  print(fmt::format("duration    {} s, pushes: {}, checks: {}\n", scenario.duration_s, fitted.events.pushes.size(),
                    scenario.checks.size()));
  for (const std::string& note : fitted.notes) print(fmt::format("note        {}\n", note));
}

void diagnose_robot_yaml(const std::filesystem::path& file) {
  const RobotDescription description = read_robot_yaml(file);
  const bool is_in_package = description.urdf.string().starts_with("package:");
  if (!is_in_package && !std::filesystem::exists(description.urdf)) {
    throw FileError({file.string()},
                    fmt::format("describes a robot (key 'robot', neither 'scenario' nor 'duration_s'), "
                                "but its URDF '{}' does not exist",
                                description.urdf.string()));
  }
  const RobotModel robot(read_robot_file(description.urdf), description);
  print(fmt::format("{}: a robot's description, no problems found\n\n{}", file.string(), robot_text(robot)));
}

/// Whether a YAML describes a robot, else a scenario: by the keys that only one of them has. A file with none of these
/// is a robot's when there is nothing else to misspell.
bool is_robot_yaml(const YamlNode& root) {
  constexpr const char* kOfRobot[] = {"urdf", "cad", "roles", "frames", "soles", "postures", "actuation", "inertia"};
  constexpr const char* kOfScenario[] = {"scenario", "duration_s", "world", "start",  "controller",
                                         "events",   "reference",  "plan",  "checks", "plant",
                                         "search",   "vary",       "seed"};
  const auto count = [&root](const auto& keys) {
    return std::ranges::count_if(keys, [&root](const char* key) { return root.find(key) != nullptr; });
  };
  const auto robot = count(kOfRobot), scenario = count(kOfScenario);
  const bool has_else = std::ranges::any_of(
      root.entries, [](const YamlEntry& entry) { return entry.key != "robot" && entry.key != "about"; });
  return robot > scenario || (robot == scenario && root.find("robot") != nullptr && !has_else);
}

int doctor_command(const DoctorOptions& options) {
  const std::filesystem::path& file = options.file;
  const std::string extension = file.extension().string();
  const bool has_table_name = extension == ".csv" || extension == ".npz";
  const bool is_robot = extension == ".urdf" || extension == ".xml" || extension == ".mjcf" || extension == ".xacro";
  const bool is_for_recordings = (options.json && !is_robot) || options.forces || options.unit || options.up ||
                                 options.mass_kg || options.threshold_n;
  if (has_table_name && !is_for_recordings && std::filesystem::is_regular_file(file) && diagnose_own_table(file)) {
    return kSuccess;
  }
  if (recording_format(file)) return diagnose_recording(options);
  if (is_for_recordings) {
    throw InvalidValue(fmt::format(
        "'{}': --forces, --unit, --up, --mass and --threshold are for recordings ({}), --json for these and "
        "for URDFs",
        file.string(), recording_extensions()));
  }
  if (is_robot) {
    diagnose_robot(file, options.json);
  } else if (extension == ".yaml" || extension == ".yml") {
    const YamlNode root = read_yaml(file);
    if (!diagnose_own_yaml(file, root)) is_robot_yaml(root) ? diagnose_robot_yaml(file) : diagnose_scenario(file);
  } else {
    const std::optional<RecordingFormat> shown = recording_format_by_content(file);  // a missing file fails here
    const std::string name =
        extension.empty() ? "has no extension" : fmt::format("has the unknown extension {}", extension);
    if (shown) {
      throw FileError({file.string()}, fmt::format("{}, but the content of a {} file; give it that extension", name,
                                                   format_name(*shown)));
    }
    throw FileError({file.string()},
                    fmt::format("{}, and its content is that of no recording; valid: .urdf, .xml (a robot), "
                                ".yaml (a scenario, a robot's description, a file of `aplomb "
                                "human` or `aplomb retarget`), .npz (a table), {} (a recording)",
                                name, recording_extensions()));
  }
  return kSuccess;
}

}  // namespace

Action add_doctor(CLI::App& program) {
  auto options = std::make_shared<DoctorOptions>();
  auto file = std::make_shared<std::string>();
  CLI::App* verb = add_verb(program, "doctor", "Show what is in a file and what is wrong with it.",
                            "  aplomb doctor my_robot.urdf    links, joints and implausible inertias\n"
                            "  aplomb doctor my_run.yaml      a scenario, checked against its robot without a run\n"
                            "  aplomb doctor walk.c3d         markers, gaps, plates, unit, axes\n"
                            "  aplomb doctor rise.trc --forces rise_grf.mot --mass 62.6\n"
                            "  aplomb doctor postures.csv     a file that aplomb wrote, and what uses it\n\n"
                            "Exit 0: it could be read; 2: it could not, with file and line.");
  verb->add_option("FILE", *file, "robot (.urdf, .yaml), recording: " + recording_extensions())->required();
  verb->add_option("--forces", options->forces, "ground forces that belong to a recording")->type_name("FILE");
  verb->add_option("--unit", options->unit, "unit of a recording's lengths, instead of its own: m, cm, mm, in, ft")
      ->type_name("UNIT");
  verb->add_option("--up", options->up, "a recording's axis that points up: x, y, z, -x, -y, -z")->type_name("AXIS");
  verb->add_option("--mass", options->mass_kg, "the subject's mass, to compare with the plates")
      ->type_name("KG")
      ->check(quantity(1.0, 1000.0, "kg"));
  verb->add_option("--threshold", options->threshold_n, "force below which a plate counts as unloaded (10)")
      ->type_name("N")
      ->check(quantity(0.0, 10000.0, "N"));
  verb->add_flag("--json", options->json, "print as JSON; recordings and URDFs");
  return [options, file] {
    options->file = *file;
    return doctor_command(*options);
  };
}

}  // namespace aplomb
