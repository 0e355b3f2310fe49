#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>

#include "aplomb/batch/batch_index.hpp"
#include "aplomb/batch/batch_table.hpp"
#include "aplomb/batch/manifest.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "batch/local_workers.hpp"
#include "batch/slurm_script.hpp"
#include "batch/worker.hpp"
#include "shared/quantity.hpp"
#include "shared/table.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

struct BatchRequest {
  std::string manifest, out, executor = "local", only;
  std::optional<std::string> task, worker, address;
  std::size_t jobs = num_cores(), tasks = 100;
  bool json = false;
};

/// Share K of N of the jobs: every Nth one from the Kth.
struct Share {
  std::size_t task = 1, of = 1;
  bool has(std::size_t number) const { return number % of == task - 1; }
  std::size_t size(std::size_t num_jobs) const { return num_jobs / of + (has_rest(num_jobs) ? 1 : 0); }
  bool has_rest(std::size_t num_jobs) const { return task - 1 < num_jobs % of; }
};

Share parse_share(const std::string& text) {
  Share share;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, share.task);
  const bool has_slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, end, share.of) : first;
  if (!has_slash || second.ec != std::errc{} || second.ptr != end || share.task < 1 || share.task > share.of) {
    throw InvalidValue(fmt::format("--task {}: K/N is expected, with K from 1 to N, e.g. 3/100", text));
  }
  return share;
}

/// Checks a job's words as `aplomb` would, without doing it.
void check_job(const ManifestJob& job) {
  std::vector<std::string> command = job.command;
  command.emplace_back("--json");
  if (job.keeps_files) command.insert(command.end(), {"--out", "out"});
  try {
    require_valid_command(command);
  } catch (const Error& error) {
    throw FileError(job.place, error.what());
  }
}

class BatchWork {
 public:
  explicit BatchWork(const BatchRequest& request) : request_(request) {
    if (request.task) share_ = parse_share(*request.task);
  }

  int run() {
    num_jobs_ = count_jobs();
    folder_.emplace(BatchFolder::begin(request_.out));
    const bool needs_index = (!request_.task && request_.only != "collect") || !fs::exists(folder_->index());
    if (needs_index) write_index(request_.manifest, *folder_);
    if (request_.executor == "slurm") return say_how_to_submit();
    if (request_.only == "index") return kSuccess;
    if (request_.only != "collect") {
      if (!work()) return kInterrupted;
      if (request_.task) return kSuccess;
    }
    return collect();
  }

 private:
  /// Checks the whole manifest before anything is written.
  std::size_t count_jobs() const {
    std::size_t count = 0;
    for_each_job(request_.manifest, [&](const ManifestJob& job) {
      check_interrupt();
      if (job.is_first_like) check_job(job);
      ++count;
    });
    return count;
  }

  int say_how_to_submit() const {
    const std::size_t tasks = std::min(request_.tasks, num_jobs_);
    print(write_slurm_script(*folder_, fs::absolute(request_.manifest).string(), num_jobs_, tasks));
    return kSuccess;
  }

  /// Does the share's jobs; false when it was interrupted.
  bool work() {
    BatchIndex index(*folder_);
    std::size_t number = 0, num_found = 0;
    Progress progress("batch", static_cast<double>(share_.size(num_jobs_)));
    const auto begin = std::chrono::steady_clock::now();
    const auto next = [&]() -> std::optional<BatchJob> {
      while (std::optional<BatchJob> job = index.next()) {
        check_interrupt();
        if (!share_.has(number++)) continue;
        if (!folder_->is_finished(*job)) return job;
        progress.update(static_cast<double>(++num_found));
      }
      return std::nullopt;
    };
    std::size_t num_done = 0;
    const auto on_progress = [&](const BatchProgress& counts) {
      num_done = counts.done;
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      progress.set_label(
          fmt::format("batch: {:.3g} jobs/s, {} failed", static_cast<double>(counts.done) / seconds, counts.failed));
      progress.update(static_cast<double>(num_found + counts.through));
    };
    try {
      do_locally(*folder_, request_.jobs, next, on_progress);
    } catch (const Interrupted&) {
      progress.finish();
      tell(fmt::format("{}: {} jobs were finished now, {} before; the same command continues\n", folder_->shown(),
                       num_done, num_found));
      return false;
    } catch (const Error& error) {
      progress.finish();
      throw Error(fmt::format("{}; {} finished jobs are kept in {}, the same command continues", error.what(),
                              num_done + num_found, folder_->shown()));
    }
    progress.finish();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    tell(fmt::format("{} jobs done in {:.1f} s on {} processes, {} were done before\n", num_done, seconds,
                     request_.jobs, num_found));
    return true;
  }

  int collect() {
    folder_->remove_void_claims();  // a process may have been killed after it finished its job
    Progress progress("table", static_cast<double>(num_jobs_));
    const BatchTable table(*folder_, [&](double rows) { progress.update(rows); });
    table.write_csv();
    progress.finish();
    make_replays(table);
    const Result result = table.result();
    const ReportPage page = table.page();
    write_result_files(result, table.sample(), page, {}, folder_->path());
    print(request_.json ? to_json(result) + "\n" : text_of(result, page));
    tell(fmt::format("report: {}\n", (fs::path(request_.out) / "report.html").string()));
    return result.any_check_fails() ? kCheckFailed : kSuccess;
  }

  /// Does the worst jobs again of which only the metrics were kept, now with their reports.
  void make_replays(const BatchTable& table) const {
    std::size_t at = 0;
    const auto next = [&]() -> std::optional<BatchJob> {
      while (at < table.worst().size()) {
        BatchJob job = table.worst()[at++].job;
        job.keeps_files = true;
        if (!folder_->is_finished(job)) return job;
      }
      return std::nullopt;
    };
    do_locally(*folder_, request_.jobs, next, [](const BatchProgress&) {});
  }

  static std::string text_of(const Result& result, const ReportPage& page) {
    std::string text = summary_table(result, wants_colours(STDOUT_FILENO));
    for (const PageTable& table : page.tables) {
      if (table.is_detail) continue;
      text += fmt::format("\n{}\n{}", table.title, aligned_table(table.header, table.rows));
    }
    return text;
  }

  const BatchRequest& request_;
  Share share_;
  std::size_t num_jobs_ = 0;
  std::optional<BatchFolder> folder_;
};

int batch_command(const BatchRequest& request) {
  if (request.worker) return work_on_requests(*request.worker);
  if (request.executor == "ray" || request.executor == "joblib") {
    throw InvalidValue(
        fmt::format("--executor {0} belongs to the Python package: pip install aplomb[{0}], then the same "
                    "command, or aplomb.batch(..., executor=\"{0}\")",
                    request.executor));
  }
  if (request.address) throw InvalidValue("--address is of a Ray cluster: it needs --executor ray");
  if (request.manifest.empty() || request.out.empty()) {
    throw InvalidValue(fmt::format("{} is missing (`aplomb batch --help` has examples)",
                                   request.manifest.empty() ? "MANIFEST, the list of jobs," : "--out DIR"));
  }
  return BatchWork(request).run();
}

}  // namespace

Action add_batch(CLI::App& program) {
  auto request = std::make_shared<BatchRequest>();
  CLI::App* verb =
      add_verb(program, "batch", "Many jobs, on this machine or on many.",
               "  aplomb batch jobs.yaml --out out/sweep                    all cores of this machine\n"
               "  aplomb batch jobs.csv --out out/sweep --executor slurm    an array script, for a cluster\n"
               "  aplomb batch jobs.yaml --out out/sweep --task 3/100       the third of 100 shares\n\n"
               "jobs.yaml:\n"
               "  jobs:\n"
               "    - run: balance_push_forward\n"
               "      seeds: [1, 1000]\n"
               "      grid: {world.floor.friction: [0.3, 0.5, 0.8]}\n"
               "    - retarget: clips/*.c3d\n"
               "      robot: [sarcos_real, g1]\n"
               "      files: all\n\n"
               "A job is a command of aplomb (run, compare, human, identify, retarget, rise, grade, estimate); its\n"
               "name in DIR/jobs is a digest of the command and of the files that it names. The same command\n"
               "continues where it was interrupted, whoever did the rest, here or elsewhere; a job with an error is\n"
               "tried again then. Writes jobs.csv (one row a job), report.html, and a folder for each job with\n"
               "`files: all` (the default, except of run and compare) and for the ten worst. docs/scale.md.\n\n"
               "Exit 0: all jobs passed; 1: one failed or had an error; 2: bad input; 130: interrupted.");
  verb->add_option("MANIFEST", request->manifest, "the jobs: .yaml or .csv");
  verb->add_option("--out", request->out, "folder for the results; may be there from before")->type_name("DIR");
  verb->add_option("--executor", request->executor,
                   "local: processes of this machine; slurm: write an array script;\n"
                   "ray, joblib: with the Python package")
      ->check(CLI::IsMember({"local", "slurm", "ray", "joblib"}))
      ->capture_default_str();
  verb->add_option("--jobs", request->jobs, "processes at the same time")
      ->type_name("J")
      ->check(count_of("processes", 1, 1024));
  verb->add_option("--task", request->task, "do share K of N only, and make no table")->type_name("K/N");
  verb->add_option("--tasks", request->tasks, "with slurm: number of array tasks")
      ->type_name("N")
      ->check(count_of("tasks", 1, 100'000))
      ->capture_default_str();
  verb->add_option("--address", request->address, "with ray: of an existing cluster; without it one on this machine")
      ->type_name("ADDRESS");
  verb->add_option("--only", request->only,
                   "index: list the jobs in DIR/index.jsonl; collect: table and report of what is done")
      ->check(CLI::IsMember({"index", "collect"}));
  verb->add_option("--worker", request->worker, "work on the requests on standard input")->group("");
  verb->add_flag("--json", request->json, "print metrics.json instead of a table");
  return [request] { return batch_command(*request); };
}

}  // namespace aplomb
