#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/link/realtime.hpp"
#include "aplomb/link/remote_controller.hpp"
#include "aplomb/present/run_page.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/run_with_controller.hpp"
#include "serve/cycle_page.hpp"
#include "shared/quantity.hpp"
#include "shared/tell_notes.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct ServeOptions {
  std::string robot, scenario, listen = "127.0.0.1:4800";
  std::vector<std::string> overrides;
  std::optional<std::string> out;
  std::int64_t watchdog_ms = 10;
  double torque_rate = 200.0, wait_s = 60.0;
  bool is_lockstep = false, may_leave_machine = false, json = false;
};

Scenario scenario_of(const ServeOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  overrides.push_back({.key = "robot", .value = options.robot});
  Scenario scenario = load_scenario(options.scenario, overrides);
  if (scenario.search) throw InvalidValue("a scenario with the key 'search' is many runs; serve has one");
  if (!scenario.payload_link.empty()) {
    throw InvalidValue(
        "sensors.payload_link: the estimate of a payload is not part of the messages between robot and "
        "controller; run this scenario in one process, with `aplomb run`");
  }
  // A robot that was left alone has failed, even where its dampers kept it upright.
  scenario.checks.push_back({.metric = "link_damped", .rule = Check::Rule::equals, .bound = false});
  return scenario;
}

void show(RunResult& output, const Scenario& scenario, const RemoteController& remote,
          const std::optional<OutputFolder>& folder, const ServeOptions& options) {
  if (folder) {
    ReportPage page = run_page(output, scenario);
    page.tables.push_back(cycle_table({{"round trip", &remote.round_trips()}, {"jitter", &remote.jitter()}}));
    page.scene = make_run_scene(output);
    write_into(*folder, *options.out, [&](const auto& path) {
      write_result_files(output.result, output.log, page, {LogFormat::csv, LogFormat::npz}, path);
    });
  }
  print(options.json ? to_json(output.result) + "\n" : summary_table(output.result, wants_colours(STDOUT_FILENO)));
  tell_notes(output);
}

int serve_command(const ServeOptions& options) {
  const LinkAddress listen = parse_link_address(options.listen, "--listen", true, options.may_leave_machine);
  const Scenario scenario = scenario_of(options);
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (options.out) folder.emplace(*options.out);
  RisePlanner planner;
  RunSetup setup = make_setup(scenario, planner);
  setup.has_failsafe = false;  // it is in the controller's process; here is the watchdog
  RemoteController remote(
      *setup.robot, listen,
      {.gate = {.watchdog_ticks = static_cast<int>(options.watchdog_ms), .torque_rate = options.torque_rate},
       .scenario = scenario.name,
       .is_lockstep = options.is_lockstep,
       .wait_s = options.wait_s});
  tell(fmt::format("{} in {} waits at {} for a controller{}\n", setup.robot->name(), scenario.name,
                   remote.address().text(), options.is_lockstep ? ", in lock step" : ""));
  const std::string controller = remote.wait_for_controller();
  tell(fmt::format("controlled by {}\n", controller));
  if (!options.is_lockstep) {
    for (const std::string& note : prepare_realtime()) tell(note + "\n");
  }
  RunResult output = run_with_controller(scenario, setup, remote);
  output.result.verb = "serve";
  // A tick's time in the robot's process is mostly waiting: what was measured is the round trip.
  Metrics timing;
  for (const char* name : {"realtime_factor", "wall_s"}) timing.set(name, *output.result.timing.find(name));
  remote.add_timing(timing);
  output.result.timing = timing;
  show(output, scenario, remote, folder, options);
  if (folder) {
    check_interrupt();
    folder->commit();
    tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  }
  return output.result.any_check_fails() ? kCheckFailed : kSuccess;
}

}  // namespace

Action add_serve(CLI::App& program) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* verb =
      add_verb(program, "serve", "A simulated robot, for a controller in a process of its own.",
               "  aplomb serve coman --scenario stand_coman\n"
               "  aplomb control --robot coman --controller joint_pd --connect 127.0.0.1:4800\n\n"
               "in two terminals. The robot waits for its controller, runs the scenario once in real time\n"
               "and judges it by its checks. Without a usable command for 10 ms its joints are damped, and\n"
               "the run has failed.\n"
               "docs/hardware.md has the messages, and how to put a robot of your own in this place.");
  verb->add_option("ROBOT", options->robot, "robot: a name of `aplomb list`, a URDF or a YAML")->required();
  verb->add_option("--scenario", options->scenario, "a name from `aplomb list`, or a YAML file")->required();
  verb->add_option("--listen", options->listen, "address and port; port 0: any that is free")
      ->type_name("ADDRESS")
      ->capture_default_str();
  verb->add_flag("--allow-network", options->may_leave_machine,
                 "permit an address that other machines reach: anyone there");
  verb->add_flag("--lockstep", options->is_lockstep,
                 "wait for each command: the same result every time, not in real time");
  verb->add_option("--wait", options->wait_s, "time for a controller to come")
      ->type_name("S")
      ->check(quantity(0.1, 3600.0, "s"))
      ->capture_default_str();
  verb->add_option("--watchdog-ms", options->watchdog_ms, "damp without a new command for so long")
      ->type_name("MS")
      ->check(count_of("milliseconds", 1, 20))
      ->capture_default_str();
  verb->add_option("--torque-rate", options->torque_rate,
                   "largest change of a joint's torque, in torque limits per second")
      ->type_name("1/S")
      ->check(quantity(0.1, 1e6, "1/s"))
      ->capture_default_str();
  verb->add_option("--set", options->overrides, "override one value of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->take_all();
  verb->add_option("--out", options->out, "folder for metrics.json, timing.json, the log and report.html")
      ->type_name("DIR");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return serve_command(*options); };
}

}  // namespace aplomb
