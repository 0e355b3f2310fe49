#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/fit_robot.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "doctor/diagnose_recording.hpp"
#include "shared/robot_text.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

void diagnose_urdf(const std::filesystem::path& file) {
  const RobotModel robot = RobotModel::from_urdf(file);
  print(fmt::format("{}: a URDF robot, no problems found\n\n{}", file.string(), robot_text(robot)));
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
  const RobotModel robot(read_urdf(description.urdf), description);
  print(fmt::format("{}: a robot's description, no problems found\n\n{}", file.string(), robot_text(robot)));
}

int doctor_command(const DoctorOptions& options) {
  const std::filesystem::path& file = options.file;
  const std::string extension = file.extension().string();
  if (recording_format(file)) return diagnose_recording(options);
  const bool is_for_recordings =
      options.json || options.forces || options.unit || options.up || options.mass_kg || options.threshold_n;
  if (is_for_recordings) {
    throw InvalidValue(
        fmt::format("'{}': --json, --forces, --unit, --up, --mass and --threshold are for recordings "
                    "({})",
                    file.string(), recording_extensions()));
  }
  if (extension == ".urdf" || extension == ".xml" || extension == ".xacro") {
    diagnose_urdf(file);
  } else if (extension == ".yaml" || extension == ".yml") {
    const YamlNode root = read_yaml(file);
    // A robot's description has `robot` and no `scenario`; any other YAML is checked as a scenario.
    const bool is_robot =
        root.find("robot") != nullptr && root.find("scenario") == nullptr && root.find("duration_s") == nullptr;
    is_robot ? diagnose_robot_yaml(file) : diagnose_scenario(file);
  } else {
    read_file(file, 1'000'000);  // reports a missing file or a folder before the extension
    throw FileError({.file = file.string()},
                    fmt::format("has an unknown extension; valid: .urdf (a robot), "
                                ".yaml (a scenario or a robot's description), {} (a recording)",
                                recording_extensions()));
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
                            "  aplomb doctor rise.trc --forces rise_grf.mot --mass 62.6\n\n"
                            "Exit 0: it could be read; 2: it could not, with file and line.");
  verb->add_option("FILE", *file, "robot (.urdf, .yaml), recording: " + recording_extensions())->required();
  verb->add_option("--forces", options->forces, "ground forces that belong to a recording")->type_name("FILE");
  verb->add_option("--unit", options->unit, "unit of a recording's lengths, instead of its own: m, cm, mm, in, ft")
      ->type_name("UNIT");
  verb->add_option("--up", options->up, "a recording's axis that points up: x, y, z, -x, -y, -z")->type_name("AXIS");
  verb->add_option("--mass", options->mass_kg, "the subject's mass, to compare with the plates")
      ->type_name("KG")
      ->check(CLI::Range(1.0, 1000.0));
  verb->add_option("--threshold", options->threshold_n, "force below which a plate counts as unloaded (10)")
      ->type_name("N")
      ->check(CLI::Range(0.0, 10000.0));
  verb->add_flag("--json", options->json, "print as JSON; recordings only");
  return [options, file] {
    options->file = *file;
    return doctor_command(*options);
  };
}

}  // namespace aplomb
