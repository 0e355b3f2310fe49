#include "aplomb/scenario/compare.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/step_progress.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/present/comparison_report.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "run/load_plugin.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct CompareOptions {
  std::string scenario;
  std::vector<std::string> controllers;
  std::optional<std::string> robot, out, plugin;
  std::vector<std::string> overrides;
  bool json = false;
};

/// Throws InvalidValue when no controller could be run, so that there is nothing to compare.
void require_any_run(const Comparison& comparison) {
  if (std::ranges::any_of(comparison.runs, [](const ComparedRun& run) { return run.error.empty(); })) return;
  std::string reasons;
  for (const ComparedRun& run : comparison.runs) {
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", run.controller, run.error);
  }
  throw InvalidValue(fmt::format("none of the controllers can run {} on {} ({}); `aplomb list` names the others",
                                 comparison.scenario, comparison.robot, reasons));
}

int compare_command(CompareOptions options) {
  load_plugin(options.plugin);
  if (options.controllers.empty()) options.controllers = controller_kinds();
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  if (options.robot) overrides.push_back({.key = "robot", .value = *options.robot});
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (options.out) folder.emplace(*options.out);
  StepProgress progress(options.scenario);
  RisePlanner planner;
  planner.use_cache(PlanCache::of_user());
  planner.report_steps([&progress](std::string_view step, double done) { progress.update(step, done); });
  const auto num_runs = static_cast<double>(options.controllers.size());
  const Comparison comparison = compare_controllers(
      options.scenario, options.controllers, overrides,
      [&](std::size_t run, double done) { progress.update("runs", (static_cast<double>(run) + done) / num_runs); },
      &planner);
  progress.finish();
  require_any_run(comparison);
  const ComparisonReport output = comparison_report(comparison);
  if (folder) {
    write_into(*folder, *options.out, [&](const auto& path) {
      write_result_files(output.result, output.log, output.page, {LogFormat::csv}, path);
    });
    check_interrupt();
    folder->commit();
  }
  if (options.json) {
    print(to_json(output.result) + "\n");
  } else {
    print(fmt::format("{} on {}: not judged, no checks were asked for\n\n", comparison.scenario, comparison.robot));
    print(aligned_table(comparison_header(), comparison_rows(comparison)));
  }
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  return kSuccess;
}

}  // namespace

Action add_compare(CLI::App& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* verb =
      add_verb(program, "compare", "Run one scenario under several controllers, side by side.",
               "  aplomb compare balance_push_forward --controllers joint_pd,momentum_balance,partial_force "
               "--robot coman\n"
               "  aplomb compare balance_push_forward --controllers momentum_balance,partial_force --out out/c\n\n"
               "The scenario's checks are not evaluated. `aplomb list` names the controllers.");
  verb->add_option("SCENARIO", options->scenario, "a name from `aplomb list`, or a YAML file")->required();
  verb->add_option("--controllers", options->controllers, "comma-separated controllers; default: all")
      ->type_name("A,B,C")
      ->delimiter(',');
  verb->add_option("--robot", options->robot, "robot to use instead of the scenario's")->type_name("ROBOT");
  verb->add_option("--set", options->overrides, "override one value of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->take_all();
  verb->add_option("--out", options->out, "folder for metrics.json, timing.json, log.csv and report.html")
      ->type_name("DIR");
  verb->add_option("--plugin", options->plugin, kPluginAbout)->type_name("LIB");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return compare_command(*options); };
}

}  // namespace aplomb
