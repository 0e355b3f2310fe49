#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/step_progress.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/present/run_page.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/run_with_controller.hpp"
#include "run/identify_experiment.hpp"
#include "run/live_run.hpp"
#include "run/load_plugin.hpp"
#include "run/shared_planner.hpp"
#include "run/show_experiment.hpp"
#include "run/show_many.hpp"
#include "shared/quantity.hpp"
#include "shared/tell_notes.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct RunOptions {
  std::string scenario;
  std::optional<std::string> out, plugin;
  std::vector<std::string> overrides;
  std::string log_formats = "csv,npz";
  std::optional<std::int64_t> repeat;
  std::size_t jobs = num_cores();
  bool json = false, live = false;
};

int show_run(const Scenario& scenario, const ShowOptions& options) {
  const std::set<LogFormat> formats = parse_log_formats(options.log_formats);
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (options.out) folder.emplace(*options.out);
  StepProgress progress(scenario.name);
  RisePlanner own;
  own.use_cache(PlanCache::of_user());
  RisePlanner& planner = shared_planner() != nullptr ? *shared_planner() : own;
  planner.report_steps([&progress](std::string_view step, double done) { progress.update(step, done); });
  RunSetup setup = make_setup(scenario, planner);
  const std::unique_ptr<Controller> controller = make_controller(scenario, setup);
  std::optional<LiveRun> live;
  if (options.is_live) live.emplace(scenario, setup, plan_rise(scenario, planner));
  const auto on_rows = live ? [&live](const Log& log) { live->follow(log); } : std::function<void(const Log&)>();
  RunResult output = run_with_controller(
      scenario, setup, *controller, [&](double time_s) { progress.update("simulation", time_s / scenario.duration_s); },
      on_rows);
  planner.report_steps(nullptr);  // a shared one outlives `progress`
  progress.finish();
  output.result.verb = options.verb;
  for (const std::string& note : notes_on_unjudged(scenario, [](std::string_view) { return false; })) {
    output.notes.push_back(note);
  }
  ReportPage page;
  if (folder || live) {
    page = run_page(output, scenario);
    const std::shared_ptr<const RisePlan> rise = plan_rise(scenario, planner);  // the one that was run
    const bool has_person = rise && rise->trial && rise->retargeted;
    page.scene = has_person ? make_rise_scene(output, *rise->trial, *rise->retargeted) : make_run_scene(output);
  }
  if (folder) {
    write_into(*folder, *options.out,
               [&](const auto& path) { write_result_files(output.result, output.log, page, formats, path); });
    check_interrupt();
    folder->commit();
  }
  print(options.json ? to_json(output.result) + "\n" : summary_table(output.result, wants_colours(STDOUT_FILENO)));
  tell_notes(output);
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  if (live) live->finish(output, page);
  return output.result.any_check_fails() ? kCheckFailed : kSuccess;
}

int run_command(const RunOptions& options) {
  const std::string plugin = load_plugin(options.plugin);  // first: it fixes which controllers there are
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  const std::string ending = std::filesystem::path(options.scenario).extension().string();
  if (ending == ".urdf" || ending == ".xml" || ending == ".mjcf") {
    throw FileError(
        {.file = options.scenario},
        "is a robot, not a scenario; name it in a scenario, e.g. `aplomb run stand_coman --set robot=FILE`");
  }
  const ShowOptions shown{
      .out = options.out, .log_formats = options.log_formats, .json = options.json, .is_live = options.live};
  const auto require_one_run = [&options](const char* what) {
    if (options.live) throw InvalidValue(fmt::format("--live shows one run; {}", what));
  };
  if (options.repeat) require_one_run("leave --repeat out");
  if (options.json) require_one_run("to a person: leave --json out");  // so does every job of a batch
  if (const auto file = experiment_file(options.scenario)) {
    require_one_run("this experiment identifies masses and simulates no motion");
    return show_experiment(load_experiment(*file, options.overrides), options.repeat, options.jobs, shown);
  }
  Scenario scenario = load_scenario(options.scenario, overrides);
  scenario.text += plugin;  // part of what identifies the run
  if (scenario.search && options.repeat) {
    throw InvalidValue("--repeat cannot be combined with the scenario's key 'search'");
  }
  if (scenario.search) require_one_run("this scenario is a search of many");
  if (scenario.search) return show_search(scenario, options.jobs, shown);
  if (options.repeat) return show_repeat(scenario, *options.repeat, options.jobs, shown);
  return show_run(scenario, shown);
}

}  // namespace

Action add_run(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = add_verb(program, "run", "Run one scenario and judge it by its checks.",
                            "  aplomb run stand_coman\n"
                            "  aplomb run my.yaml --out out/mine --set world.floor.friction=0.4\n"
                            "  aplomb run stand_coman --set 'events=[{push: {force_n: [0, 40, 0], start_s: 1}}]'\n"
                            "  aplomb run balance_push_forward --live\n"
                            "  aplomb run stand_coman --repeat 200 --set vary.world.floor.friction=[0.2,0.9]\n\n"
                            "Exit 0: every check held; 1: one failed; 2: bad input; 130: interrupted.\n"
                            "docs/scenarios.md explains every key of a scenario, docs/metrics.md every metric,\n"
                            "docs/repeats.md --repeat and searches.");
  verb->add_option("SCENARIO", options->scenario, "a name from `aplomb list`, or a YAML file")->required();
  verb->add_option("--out", options->out, "folder for metrics.json, timing.json, the log and report.html")
      ->type_name("DIR");
  verb->add_option("--set", options->overrides, "override one value of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->take_all();
  verb->add_option("--log", options->log_formats, "log files in --out: csv, npz, mcap")
      ->type_name("FORMATS")
      ->capture_default_str();
  verb->add_option("--repeat", options->repeat, "number of runs, each with its own seed and values drawn from `vary`")
      ->type_name("N")
      ->check(count_of("runs", 1, kMostRuns));
  verb->add_option("--jobs", options->jobs, "parallel runs of --repeat or a search")
      ->type_name("J")
      ->check(count_of("parallel runs", 1, 1024))
      ->capture_default_str();
  verb->add_option("--plugin", options->plugin, kPluginAbout)->type_name("LIB");
  verb->add_flag("--live", options->live, "a page in the browser follows the simulation, at most in real time");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return run_command(*options); };
}

}  // namespace aplomb
