#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/link/control_loop.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/run/make_failsafe.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "run/load_plugin.hpp"
#include "serve/cycle_page.hpp"
#include "shared/quantity.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct ControlOptions {
  std::string robot, controller, connect;
  std::optional<std::string> scenario, plugin, out;
  std::vector<std::string> overrides;
  double wait_s = 10.0;
  bool may_leave_machine = false, json = false;
};

/// What the controller is to do: a scenario's references, plan and settings; without one, to hold a posture.
Scenario scenario_of(const ControlOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  overrides.push_back({.key = "robot", .value = options.robot});
  overrides.push_back({.key = "controller.kind", .value = options.controller});
  if (options.scenario) return load_scenario(*options.scenario, overrides);
  return parse_scenario("scenario: hold_posture\nrobot: balancer\nstart: {posture: half_sitting}\nduration_s: 1\n",
                        "control", overrides, std::filesystem::current_path());
}

void write_report(const Result& result, const ControlLoop& loop, const OutputFolder& folder, const std::string& out) {
  ReportPage page;
  page.title = fmt::format("Controller of {}", result.scenario);
  page.about = "Times of a controller in a process of its own; the robot's side has the run itself.";
  page.notes = loop.notes();
  page.tables.push_back(cycle_table({{"cycle", &loop.cycles()}, {"jitter", &loop.jitter()}}));
  write_into(folder, out, [&](const auto& path) { write_result_files(result, {}, page, {}, path); });
}

int control_command(const ControlOptions& options) {
  const LinkAddress robot = parse_link_address(options.connect, "--connect", false, options.may_leave_machine);
  load_plugin(options.plugin);
  const Scenario scenario = scenario_of(options);
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (options.out) folder.emplace(*options.out);
  RisePlanner planner;
  RunSetup setup = make_setup(scenario, planner);
  const std::unique_ptr<Controller> controller = make_controller(scenario, setup);
  const std::unique_ptr<Failsafe> failsafe = make_failsafe(setup, *controller);
  ControlLoop loop(*setup.believed, failsafe ? static_cast<Controller&>(*failsafe) : *controller,
                   {.controller = options.controller, .connect_wait_s = options.wait_s});
  const Welcome welcome = loop.connect(robot);
  tell(fmt::format("controls {} in {} at {}{}\n", welcome.robot.name, welcome.scenario, robot.text(),
                   welcome.is_lockstep ? ", in lock step" : ""));
  for (const std::string& note : loop.notes()) tell(note + "\n");
  const ControlLoop::End end = loop.run();
  Result result;
  result.verb = "control";
  result.scenario = scenario.name;
  result.metrics = loop.metrics();
  loop.add_timing(result.timing);
  result.provenance = {.version = version(),
                       .commit = commit(),
                       .robot_sha256 = sha256_of_file(setup.robot->urdf().file),
                       .scenario_sha256 = sha256(scenario.text),
                       .seed = scenario.seed};
  if (folder) {
    write_report(result, loop, *folder, *options.out);
    folder->commit();
  }
  print(options.json ? to_json(result) + "\n" : summary_table(result, wants_colours(STDOUT_FILENO)));
  if (end == ControlLoop::End::finished) return kSuccess;
  tell(end == ControlLoop::End::robot_silent ? "the robot has fallen silent: its process has ended, or stopped\n"
                                             : "the robot's process was interrupted\n");
  return kCheckFailed;
}

}  // namespace

Action add_control(CLI::App& program) {
  auto options = std::make_shared<ControlOptions>();
  CLI::App* verb =
      add_verb(program, "control", "A controller in a process of its own, for a served robot.",
               "  aplomb control --robot coman --controller joint_pd --connect 127.0.0.1:4800\n\n"
               "`aplomb serve` is the other side. With the same --scenario as there the controller follows its\n"
               "references and plan; without one it holds the robot's posture half_sitting.\n"
               "Exit 0: the robot has ended the session; 1: it fell silent; 2: bad input; 130: interrupted.\n"
               "docs/hardware.md has the messages, and what a robot of your own needs.");
  verb->add_option("--robot", options->robot, "robot: a name of `aplomb list`, a URDF or a YAML")->required();
  verb->add_option("--controller", options->controller, "kind of controller, from `aplomb list`")->required();
  verb->add_option("--connect", options->connect, "where the robot is served")->type_name("ADDRESS")->required();
  verb->add_option("--scenario", options->scenario, "references, plan and settings for the controller");
  verb->add_flag("--allow-network", options->may_leave_machine, "permit an address of another machine");
  verb->add_option("--wait", options->wait_s, "time for the robot to answer")
      ->type_name("S")
      ->check(quantity(0.1, 3600.0, "s"))
      ->capture_default_str();
  verb->add_option("--set", options->overrides, "override one value of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->take_all();
  verb->add_option("--plugin", options->plugin, kPluginAbout)->type_name("LIB");
  verb->add_option("--out", options->out, "folder for metrics.json, timing.json and report.html")->type_name("DIR");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return control_command(*options); };
}

}  // namespace aplomb
