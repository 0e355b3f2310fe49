#include "aplomb/scenario/many/run_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/partial_results.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/urdf/urdf.hpp"
#include "aplomb/scenario/many/run_record.hpp"

namespace aplomb {
RunMaker::RunMaker(const Scenario& scenario, const ManyRunsOptions& options)
    : scenario_(scenario), options_(options), planner_(options.planner != nullptr ? *options.planner : own_) {}

std::optional<RunRecord> RunMaker::find(std::string_view item) const {
  if (options_.kept == nullptr) return std::nullopt;
  const std::optional<std::string> text = options_.kept->read(item);
  return text ? parse_run_record(*text) : std::nullopt;
}

RunRecord RunMaker::make(std::string_view item, std::span<const Override> changes) {
  RunRecord record = run_and_record(scenario_, changes, planner_);
  // An error is not kept: its cause may be repaired before the command is given again.
  if (options_.kept != nullptr && record.error.empty()) options_.kept->write(item, to_json(record));
  advance(1.0, record.metrics.number("duration_s").value_or(0.0));
  return record;
}

void RunMaker::skip(double runs) { advance(runs, 0.0); }

void RunMaker::advance(double runs, double simulated_s) {
  const std::lock_guard lock(mutex_);
  done_ += runs;
  simulated_s_ += simulated_s;
  if (options_.on_progress) options_.on_progress(done_, expected_);
}

void RunMaker::set_timing(Metrics& timing, double wall_s) const {
  timing.set("realtime_factor", wall_s > 0.0 ? MetricValue(simulated_s_ / wall_s) : MetricValue{});
  timing.set("wall_s", wall_s);
}

Provenance provenance_of_many(const Scenario& scenario) {
  return {.version = version(),
          .commit = commit(),
          .robot_sha256 = sha256_of_file(RobotModel::load(scenario.robot).urdf().file),
          .scenario_sha256 = sha256(scenario.text),
          .seed = scenario.seed};
}

std::vector<CheckOutcome> judge_many(const Scenario& scenario, const std::function<bool(std::string_view)>& judges,
                                     const Check& standard, const Metrics& metrics) {
  std::vector<CheckOutcome> outcomes;
  for (const Check& check : scenario.checks_of_all) {
    if (judges(check.metric)) outcomes.push_back(judge(check, metrics));
  }
  if (outcomes.empty()) outcomes.push_back(judge(standard, metrics));
  const Check no_errors{.metric = "run_errors", .rule = Check::Rule::equals, .bound = std::int64_t{0}};
  const auto is_there = [&](const CheckOutcome& outcome) { return outcome.check.metric == no_errors.metric; };
  if (std::ranges::none_of(outcomes, is_there)) outcomes.push_back(judge(no_errors, metrics));
  return outcomes;
}

void require_some_run(std::span<const RunRecord> records, const ManyRunsOptions& options) {
  const auto has_error = [](const RunRecord& record) { return !record.error.empty(); };
  if (records.empty() || !std::ranges::all_of(records, has_error)) return;
  if (options.kept != nullptr) options.kept->remove();
  throw InvalidValue(fmt::format("every one of {} runs ended with an error, the first with: {}", records.size(),
                                 records.front().error));
}

}  // namespace aplomb
