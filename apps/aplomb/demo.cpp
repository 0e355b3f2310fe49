#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <optional>

#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/step_progress.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "demo/story.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct DemoOptions {
  std::optional<std::string> out;
  bool json = false;
};

void write_demo(DemoStory& story, const Result& result, const std::filesystem::path& folder) {
  for (RiseResults& rise : story.rises) {
    write_c3d(folder / (rise.name + ".c3d"), *rise.plan->recording);
    rise.page.scene = make_rise_scene(rise.run, *rise.plan->trial, *rise.plan->retargeted);
    std::filesystem::create_directory(folder / rise.name);
    write_result_files(rise.run.result, rise.run.log, rise.page, {LogFormat::npz}, folder / rise.name);
  }
  const RiseResults& first = story.rises.front();
  ReportPage page{.title = "From a person's rise to a robot's",
                  .about = "A person stands up; the robot stands up the same way, and does not fall."};
  page.tables.push_back(summary_of(story, result));
  page.scene = first.page.scene;
  write_result_files(result, first.run.log, page, {LogFormat::csv, LogFormat::npz}, folder, chapters_of(story));
}

int demo_command(const DemoOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (options.out) folder.emplace(*options.out);
  StepProgress progress("demo");
  DemoStory story = make_demo_story([&progress](std::string_view step, double done) { progress.update(step, done); });
  progress.finish();
  Result result = result_of(story);
  result.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (folder) {
    write_into(*folder, *options.out, [&](const auto& path) { write_demo(story, result, path); });
    check_interrupt();
    folder->commit();
  }
  if (options.json) {
    print(to_json(result) + "\n");
  } else {
    const PageTable table = summary_of(story, result);
    print(table.about + "\n\n" + aligned_table(table.header, table.rows));
  }
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  return result.any_check_fails() ? kCheckFailed : kSuccess;
}

}  // namespace

Action add_demo(CLI::App& program) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* verb =
      add_verb(program, "demo", "The whole pipeline on built-in data, with a report.",
               "  aplomb demo --out out/demo    then open out/demo/report.html\n\n"
               "A synthetic person stands up in two styles and is recorded; its centre of mass is estimated and\n"
               "validated by the force plates; the robot's masses are identified from 88 postures; the rise is\n"
               "retargeted; the robot stands up in simulation. Beside the results are those of Mistry et al. 2010,\n"
               "measured on hardware. docs/sit_to_stand.md explains the methods.");
  verb->add_option("--out", options->out, "folder for the recordings, the results and report.html")->type_name("DIR");
  verb->add_flag("--json", options->json, "print the result as JSON");
  return [options] { return demo_command(*options); };
}

}  // namespace aplomb
