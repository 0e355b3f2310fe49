#include "run/show_experiment.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/scenario/statistics.hpp"
#include "shared/table.hpp"
#include "shared/write_identified.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

/// One identification in simulation: the postures are measured, then the masses estimated.
class Session {
 public:
  explicit Session(const IdentifyExperiment& experiment)
      : experiment_(experiment), robot_(RobotModel::load(experiment.robot)), cad_(RobotModel::load(cad_name())) {
    require_standing(robot_);
    const double one_of_two = std::numbers::sqrt2;
    options_.noise.cop_m = std::max(1e-6, one_of_two * experiment.example.cop_noise_m);
    options_.noise.vertical_force_n = std::max(1e-3, experiment.example.force_noise_n / one_of_two);
    options_.noise.joint_rad = experiment.example.joint_noise_rad;
    options_.noise.torque_nm = std::max(1e-3, experiment.example.torque_noise_nm);
  }

  IdentifyOutput play(std::uint64_t seed, const std::function<void(double)>& on_progress, bool with_page) {
    PostureExperiment example = experiment_.example;
    example.seed = seed;
    const TableFile file{.file = experiment_.name + ".csv", .table = measure_postures(robot_, example, on_progress)};
    // The estimate uses this table and the CAD model only.
    const PostureSet set = read_postures(file, cad_);
    found_ = identify(cad_, set, options_);
    const std::vector<RobotState> path = stand_up_path(robot_);
    const PathErrors truth = path_errors(robot_, cad_, found_, path);
    IdentifyOutput output = with_page ? describe(cad_, set, found_, options_, truth) : metrics_only(set, found_, truth);
    if (example.measures_torques) set_gain_of_torques(set, path, output.result.metrics);
    return output;
  }

  /// Errors of the same postures without their torques: what the torques add.
  void set_gain_of_torques(PostureSet set, const std::vector<RobotState>& path, Metrics& metrics) {
    set.sensors.torque_joints.clear();
    for (Posture& posture : set.postures) posture.torque.resize(0);
    const Identification without = identify(cad_, set, options_);
    const PathErrors truth = path_errors(robot_, cad_, without, path);
    metrics.set("com_path_error_without_torques_rms_m", truth.identified);
    metrics.set("com_path_error_least_squares_without_torques_rms_m", truth.least_squares);
  }

  const RobotModel& cad() const { return cad_; }
  const Identification& found() const { return found_; }

 private:
  std::string cad_name() const {
    if (!robot_.description().cad.empty()) return robot_.description().cad;
    throw InvalidValue(fmt::format(
        "robot '{}' names no `cad` in its YAML, so that there is no model to start from; valid: sarcos_real, "
        "sarcos_heavy, or a robot of yours with `cad: OTHER`",
        experiment_.robot));
  }

  const IdentifyExperiment& experiment_;
  RobotModel robot_, cad_;
  IdentifyOptions options_;
  Identification found_;
};

/// Statistics over runs are checked with `--repeat` only.
bool is_of_many_runs(const Check& check) { return is_repeat_metric(check.metric); }

Provenance provenance_of(const IdentifyExperiment& experiment, const RobotModel& cad) {
  return {.version = version(),
          .commit = commit(),
          .robot_sha256 = sha256_of_file(cad.urdf().file),
          .scenario_sha256 = sha256(experiment.text),
          .seed = static_cast<std::int64_t>(experiment.example.seed)};
}

int show_one(const IdentifyExperiment& experiment, const ShowOptions& options) {
  std::optional<OutputFolder> folder;
  if (options.out) folder.emplace(*options.out);
  const auto begin = std::chrono::steady_clock::now();
  Progress progress(experiment.name, experiment.example.postures);
  Session session(experiment);
  IdentifyOutput output = session.play(
      experiment.example.seed, [&](double done) { progress.update(done); }, true);
  progress.finish();
  Result& result = output.result;
  result.verb = options.verb;
  result.scenario = experiment.name;
  result.checks.clear();
  for (const Check& check : experiment.checks) {
    if (!is_of_many_runs(check)) result.checks.push_back(judge(check, result.metrics));
  }
  result.provenance = provenance_of(experiment, session.cad());
  result.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  output.page.title = experiment.name;
  output.page.about = experiment.about;
  output.page.scenario_text = experiment.text;
  if (folder) {
    write_into(*folder, *options.out,
               [&](const auto& path) { write_identified(output, session.cad(), session.found().body_inertias, path); });
    folder->commit();
  }
  print(options.json ? to_json(result) + "\n" : summary_table(result, wants_colours(STDOUT_FILENO)));
  for (const std::string& note : output.page.notes) tell(fmt::format("note: {}\n", note));
  if (folder) tell(fmt::format("report: {}\n", (std::filesystem::path(*options.out) / "report.html").string()));
  return result.any_check_fails() ? kCheckFailed : kSuccess;
}

std::vector<RunRecord> make_runs(const IdentifyExperiment& experiment, std::int64_t runs, std::size_t jobs) {
  std::vector<RunRecord> records(static_cast<std::size_t>(runs));
  Progress progress(experiment.name, static_cast<double>(runs));
  std::mutex mutex;
  double done = 0.0;
  for_each_parallel(records.size(), jobs, [&](std::size_t i) {
    RunRecord& record = records[i];
    try {
      Session session(experiment);
      record.metrics = session
                           .play(
                               experiment.example.seed + i, [](double) {}, false)
                           .result.metrics;
      record.ok = true;
      for (const Check& check : experiment.checks) {
        if (!is_of_many_runs(check) && !judge(check, record.metrics).ok) record.ok = false;
      }
    } catch (const Error& error) {
      record.error = error.what();
    }
    const std::lock_guard lock(mutex);
    progress.update(++done);
  });
  return records;
}

int show_repeated(const IdentifyExperiment& experiment, std::int64_t runs, std::size_t jobs,
                  const ShowOptions& options) {
  std::optional<OutputFolder> folder;
  if (options.out) folder.emplace(*options.out);
  const auto begin = std::chrono::steady_clock::now();
  const Session session(experiment);  // first, so that errors of robot and file are reported before the work
  const std::vector<RunRecord> records = make_runs(experiment, runs, jobs);
  Result result{.verb = options.verb, .scenario = experiment.name};
  const auto num_ok = std::ranges::count_if(records, &RunRecord::ok);
  result.metrics.set("runs", runs);
  result.metrics.set("success_ratio", static_cast<double>(num_ok) / static_cast<double>(runs));
  result.metrics.set("run_errors", std::int64_t{std::ranges::count_if(
                                       records, [](const RunRecord& one) { return !one.error.empty(); })});
  ReportPage page{.title = experiment.name, .about = experiment.about, .scenario_text = experiment.text};
  PageTable table{.title = fmt::format("{} runs", runs),
                  .about = "Each with a seed of its own.",
                  .header = {"metric", "mean", "min", "p50", "p90", "max"}};
  for (const MetricStatistics& one : statistics_of(records)) {
    set_statistics(one, result.metrics);
    if (one.ascending.empty() || one.is_flag) continue;
    std::vector<std::string> row = {one.metric};
    for (const double value : {one.mean, one.p(0.0), one.p(0.5), one.p(0.9), one.p(1.0)})
      row.push_back(fmt::format("{:.4g}", value));
    table.rows.push_back(row);
  }
  page.tables.push_back(table);
  for (const Check& check : experiment.checks) {
    if (is_of_many_runs(check)) result.checks.push_back(judge(check, result.metrics));
  }
  // Without checks on a run, success only means that it ended without an error.
  const bool is_run_judged = !std::ranges::all_of(experiment.checks, is_of_many_runs);
  result.checks.push_back(is_run_judged ? judge({.metric = "success_ratio", .bound = 1.0}, result.metrics)
                                        : judge({.metric = "run_errors", .bound = std::int64_t{0}}, result.metrics));
  result.provenance = provenance_of(experiment, session.cad());
  result.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  for (const RunRecord& record : records) {
    if (!record.error.empty()) page.notes.push_back("a run failed: " + record.error);
  }
  if (folder) {
    write_into(*folder, *options.out, [&](const auto& path) { write_result_files(result, Log(), page, {}, path); });
    folder->commit();
  }
  Result headline = result;
  headline.metrics = {};
  print(options.json
            ? to_json(result) + "\n"
            : summary_table(headline, wants_colours(STDOUT_FILENO)) + "\n" + aligned_table(table.header, table.rows));
  for (const std::string& note : page.notes) tell(fmt::format("note: {}\n", note));
  return result.any_check_fails() ? kCheckFailed : kSuccess;
}

}  // namespace

int show_experiment(const IdentifyExperiment& experiment, std::optional<std::int64_t> repeat, std::size_t jobs,
                    const ShowOptions& options) {
  return repeat ? show_repeated(experiment, *repeat, jobs, options) : show_one(experiment, options);
}

}  // namespace aplomb
