#include "run/show_many.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/partial_results.hpp"
#include "aplomb/core/step_progress.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/present/many_runs_page.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/search.hpp"
#include "shared/resumption.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

/// A repeated scenario or a search.
struct ManyRuns {
  const char* kind;   ///< "repeat", "search"
  const char* table;  ///< file stem of the table of runs: "runs", "search"
  std::function<ManyRunsResult(const ManyRunsOptions&)> make;
  ReportPage (*page)(const Scenario&, const ManyRunsResult&);
};

void write_many(const ManyRuns& many, const ManyRunsResult& output, const ReportPage& page,
                const std::set<LogFormat>& formats, const std::filesystem::path& folder) {
  const std::string stem = many.table;
  write_file(folder / (stem + ".csv"), output.csv);
  const bool has_table = !output.table.columns().empty();
  if (has_table && formats.contains(LogFormat::npz)) write_npz(output.table, folder / (stem + ".npz"));
  write_result_files(output.result, output.table, page, {}, folder);
}

/// Text for the terminal: verdict, checks and statistics over the runs.
std::string text_of(const ManyRunsResult& output, const ReportPage& page) {
  Result headline = output.result;
  headline.metrics = output.headline;
  const PageTable& table = page.tables.front();
  return summary_table(headline, wants_colours(STDOUT_FILENO)) + "\n" + aligned_table(table.header, table.rows);
}

/// Executes the runs; nullopt when the user interrupted them (finished runs are stored).
std::optional<ManyRunsResult> make_runs(const Scenario& scenario, const ManyRuns& many, std::size_t jobs,
                                        PartialResults* kept) {
  StepProgress progress(scenario.name);
  RisePlanner planner;
  planner.use_cache(PlanCache::of_user());
  planner.report_steps([&progress](std::string_view step, double done) { progress.update(step, done); });
  const auto show_progress = [&progress](double done, double all) { progress.update("runs", done / all); };
  try {
    return many.make({.jobs = jobs, .kept = kept, .on_progress = show_progress, .planner = &planner});
  } catch (const Interrupted&) {
    if (kept == nullptr || kept->num_items() == 0) throw;
    progress.finish();
    tell(fmt::format("aplomb: interrupted; {} finished runs are kept in {}; the same command resumes from there\n",
                     kept->num_items(), kept->shown()));
    return std::nullopt;
  }
}

int show_many(const Scenario& scenario, const ManyRuns& many, std::size_t jobs, const ShowOptions& options) {
  const std::set<LogFormat> formats = parse_log_formats(options.log_formats);
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  std::optional<PartialResults> kept;
  if (options.out) {
    folder.emplace(*options.out);
    kept.emplace(*options.out, work_of(scenario, many.kind));
    tell_resumption(*kept, "runs");
  }
  const std::optional<ManyRunsResult> output = make_runs(scenario, many, jobs, kept ? &*kept : nullptr);
  if (!output) return kInterrupted;
  const ReportPage page = many.page(scenario, *output);
  if (folder) {
    write_into(*folder, *options.out, [&](const auto& path) { write_many(many, *output, page, formats, path); });
    kept->require_unchanged_inputs();
    folder->commit();
    kept->remove();
  }
  print(options.json ? to_json(output->result) + "\n" : text_of(*output, page));
  for (const std::string& note : page.notes) tell(fmt::format("note: {}\n", note));
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  return output->result.any_check_fails() ? kCheckFailed : kSuccess;
}

}  // namespace

int show_repeat(const Scenario& scenario, std::int64_t runs, std::size_t jobs, const ShowOptions& options) {
  const auto make = [&](const ManyRunsOptions& many) { return repeat_scenario(scenario, runs, many); };
  return show_many(scenario, {.kind = "repeat", .table = "runs", .make = make, .page = repeat_page}, jobs, options);
}

int show_search(const Scenario& scenario, std::size_t jobs, const ShowOptions& options) {
  const auto make = [&](const ManyRunsOptions& many) { return search_limit(scenario, many); };
  return show_many(scenario, {.kind = "search", .table = "search", .make = make, .page = search_page}, jobs, options);
}

}  // namespace aplomb
