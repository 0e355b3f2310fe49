#include "aplomb/scenario/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "aplomb/core/output_folder.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "show_run.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct RunOptions {
  std::string scenario;
  std::string out;
  std::vector<std::string> overrides;
  std::string log_formats = "csv,npz";
  bool json = false;
};

int run_command(const RunOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  const Scenario scenario = load_scenario(options.scenario, overrides);
  return show_run(scenario, {.out = options.out, .log_formats = options.log_formats, .json = options.json});
}

}  // namespace

int show_run(const Scenario& scenario, const ShowOptions& options) {
  const std::set<LogFormat> formats = parse_log_formats(options.log_formats);
  std::optional<OutputFolder> folder;  // before the work: a folder that cannot be written is refused now
  if (!options.out.empty()) folder.emplace(options.out);
  Progress progress(scenario.name, scenario.duration_s);
  RunOutput output = run_scenario(scenario, [&progress](double time_s) { progress.update(time_s); });
  progress.finish();
  output.result.verb = options.verb;
  if (folder) {
    write_result_files(output.result, output.log, output.page, formats, folder->path());
    folder->commit();
  }
  fmt::print("{}", options.json ? to_json(output.result) : summary_table(output.result, wants_colours(STDOUT_FILENO)));
  if (folder) fmt::print(stderr, "report: {}\n", (std::filesystem::path(options.out) / "report.html").string());
  return output.result.all_checks_hold() ? kSuccess : kCheckFailed;
}

Action add_run(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = program.add_subcommand("run",
                                          "Run one scenario and judge it by its checks.\n\n"
                                          "  aplomb run stand_coman\n"
                                          "  aplomb run my.yaml --out out/mine --set world.floor.friction=0.4\n\n"
                                          "Exit 0: every check held; 1: one failed; 2: bad input. docs/scenarios.md "
                                          "explains every key of a scenario.");
  verb->add_option("SCENARIO", options->scenario, "a name from `aplomb list`, or a YAML file")->required();
  verb->add_option("--out", options->out,
                   "folder for metrics.json, timing.json, the log and report.html; written whole or not at all");
  verb->add_option("--set", options->overrides, "KEY=VALUE changes one value, e.g. events.0.push.force_n=[0,100,0]")
      ->take_all();
  verb->add_option("--log", options->log_formats, "log files in --out: csv, npz or both")->capture_default_str();
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return run_command(*options); };
}

}  // namespace aplomb
