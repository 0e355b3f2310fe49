#include "run/show_many.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/scenario/many/repeat.hpp"
#include "aplomb/scenario/many/search.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

/// A repeat or a search.
struct ManyRuns {
  const char* kind;   ///< "repeat", "search"
  const char* table;  ///< the stem of the table of runs: "runs", "search"
  std::function<ManyRunsOutput(const ManyRunsOptions&)> make;
};

void write_many(const ManyRuns& many, const ManyRunsOutput& output, const std::set<LogFormat>& formats,
                const std::filesystem::path& folder) {
  const std::string stem = many.table;
  write_file(folder / (stem + ".csv"), output.csv);
  const bool has_table = !output.table.columns().empty();
  if (has_table && formats.contains(LogFormat::npz)) write_npz(output.table, folder / (stem + ".npz"));
  write_result_files(output.result, output.table, output.page, {}, folder);
}

/// For the terminal: verdict and checks, what the runs say together, and notes.
std::string text_of(const ManyRunsOutput& output) {
  Result headline = output.result;
  headline.metrics = output.headline;
  const PageTable& table = output.page.tables.front();
  return summary_table(headline, wants_colours(STDOUT_FILENO)) + "\n" + aligned_table(table.header, table.rows);
}

/// Makes the runs; nothing when the user stopped them and some are kept.
std::optional<ManyRunsOutput> make_runs(const Scenario& scenario, const ManyRuns& many, std::size_t jobs,
                                        PartialResults* kept) {
  Progress progress(scenario.name, 1.0);
  const auto show_progress = [&progress](double done, double all) { progress.update(done / all); };
  try {
    return many.make({.jobs = jobs, .kept = kept, .on_progress = show_progress});
  } catch (const Interrupted&) {
    if (kept == nullptr || kept->num_items() == 0) throw;
    progress.finish();
    tell(fmt::format("aplomb: interrupted; {} finished runs are kept in {}, and the same command goes on from there\n",
                     kept->num_items(), kept->shown()));
    return std::nullopt;
  }
}

int show_many(const Scenario& scenario, const ManyRuns& many, std::size_t jobs, const ShowOptions& options) {
  const std::set<LogFormat> formats = parse_log_formats(options.log_formats);
  std::optional<OutputFolder> folder;  // before the work: a folder that cannot be written is refused now
  std::optional<PartialResults> kept;
  if (options.out) {
    folder.emplace(*options.out);
    kept.emplace(*options.out, work_of(scenario, many.kind));
    if (kept->num_items() > 0)
      tell(fmt::format("{}: going on after {} finished runs\n", kept->shown(), kept->num_items()));
  }
  const std::optional<ManyRunsOutput> output = make_runs(scenario, many, jobs, kept ? &*kept : nullptr);
  if (!output) return kInterrupted;
  if (folder) {
    write_into(*folder, *options.out, [&](const auto& path) { write_many(many, *output, formats, path); });
    folder->commit();
    kept->remove();
  }
  print(options.json ? to_json(output->result) + "\n" : text_of(*output));
  for (const std::string& note : output->page.notes) tell(fmt::format("note: {}\n", note));
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  return output->result.all_checks_hold() ? kSuccess : kCheckFailed;
}

}  // namespace

int show_repeat(const Scenario& scenario, std::int64_t runs, std::size_t jobs, const ShowOptions& options) {
  const auto make = [&](const ManyRunsOptions& many) { return repeat_scenario(scenario, runs, many); };
  return show_many(scenario, {.kind = "repeat", .table = "runs", .make = make}, jobs, options);
}

int show_search(const Scenario& scenario, std::size_t jobs, const ShowOptions& options) {
  const auto make = [&](const ManyRunsOptions& many) { return search_limit(scenario, many); };
  return show_many(scenario, {.kind = "search", .table = "search", .make = make}, jobs, options);
}

}  // namespace aplomb
