#include "aplomb/batch/batch_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "aplomb/batch/batch_index.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/core/version.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostErrors = 1000;  // different texts that are counted one by one
constexpr std::size_t kMostShownErrors = 20;
constexpr std::size_t kMostShownGroups = 12;
constexpr std::size_t kMostPlots = 12;
constexpr const char* kOutcomes[] = {"pass", "fail", "not_judged", "error", "not_done"};

/// An option of a command with its value; of `--set`: "set.KEY" and the value.
struct Option {
  std::string name, value;
};

std::vector<Option> options_of(const std::vector<std::string>& command) {
  std::vector<Option> options;
  for (std::size_t i = 2; i < command.size(); ++i) {
    const bool has_value = i + 1 < command.size() && !command[i + 1].starts_with("--");
    if (command[i] == "--set" && has_value) {
      const std::string& set = command[++i];
      const std::size_t equals = std::min(set.find('='), set.size());
      options.push_back({fmt::format("set.{}", set.substr(0, equals)), set.substr(std::min(equals + 1, set.size()))});
    } else {
      const std::string name = command[i].substr(std::min(command[i].find_first_not_of('-'), command[i].size()));
      options.push_back({name, has_value ? command[++i] : std::string("true")});
    }
  }
  return options;
}

/// What jobs are compared with each other: the runs of a scenario, the motions on a robot.
std::string group_of(const BatchJob& job) {
  const std::string& verb = job.command.front();
  if (verb == "run" || verb == "compare") return verb + " " + job.command.at(1);
  for (const Option& option : options_of(job.command)) {
    if (option.name == "robot") return verb + " " + option.value;
  }
  return verb;
}

/// A value with the digits of a log (9), as jobs.csv has it; empty for null.
std::string cell_text(const MetricValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.9g}", *number);
  if (const auto* list = std::get_if<std::vector<double>>(&value))
    return fmt::format("[{:.9g}]", fmt::join(*list, ", "));
  return std::holds_alternative<std::monostate>(value) ? std::string() : to_text(value);
}

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return text;
}

bool is_above(const BatchTable::Job& a, const BatchTable::Job& b) {
  return std::pair(a.check.margin, a.number) < std::pair(b.check.margin, b.number);
}

/// The share-quantile of ascending values, linear between them.
double quantile(const std::vector<double>& ascending, double share) {
  const double position = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - std::floor(position));
}

}  // namespace

BatchTable::BatchTable(const BatchFolder& folder, const std::function<void(double)>& on_progress) : folder_(folder) {
  BatchIndex index(folder);
  while (const std::optional<BatchJob> job = index.next()) {
    check_interrupt();
    add(*job, ++num_jobs_);
    if (on_progress) on_progress(static_cast<double>(num_jobs_));
  }
  std::ranges::sort(sample_, {}, &Sampled::key);
}

void BatchTable::add(const BatchJob& job, std::size_t number) {
  const std::optional<BatchRecord> record = folder_.record(job.key);
  add_columns(job, record ? &*record : nullptr);
  const std::string name = group_of(job);
  Group& group = groups_[name];
  ++group.num_jobs;
  ++group.outcomes[record ? record->outcome : "not_done"];
  if (!record) {
    ++num_missing_;
    return;
  }
  if (record->is_error()) {
    const auto known = errors_.find(record->error);
    if (known == errors_.end() && errors_.size() == kMostErrors) {
      ++other_errors_;
    } else {
      Failure& failure = errors_[record->error];
      if (failure.count++ == 0) failure.first = number;
    }
    return;
  }
  const WorstCheck check = worst_check(record->checks);
  if (std::isfinite(check.margin)) add_worst({.job = job, .number = number, .check = check});
  add_sample(job, *record, name);
  for (const CheckOutcome& outcome : record->checks) {
    if (checked_.size() < kMostPlots && std::ranges::find(checked_, outcome.check.metric) == checked_.end()) {
      checked_.push_back(outcome.check.metric);
    }
  }
}

void BatchTable::add_columns(const BatchJob& job, const BatchRecord* record) {
  for (const Option& option : options_of(job.command)) {
    if (option_at_.emplace(option.name, options_.size()).second) options_.push_back(option.name);
  }
  if (record == nullptr) return;
  for (const auto& [name, value] : record->metrics.entries()) {
    if (metric_at_.emplace(name, metrics_.size()).second) metrics_.push_back(name);
  }
}

void BatchTable::add_worst(Job candidate) {
  const bool is_known = std::ranges::any_of(worst_, [&](const Job& one) { return one.job.key == candidate.job.key; });
  if (is_known || (worst_.size() == kNumWorst && !is_above(candidate, worst_.back()))) return;
  worst_.insert(std::ranges::upper_bound(worst_, candidate, is_above), std::move(candidate));
  if (worst_.size() > kNumWorst) worst_.pop_back();
}

/// Keys are digests: the jobs with the smallest are a random sample, and the same one whatever the order.
void BatchTable::add_sample(const BatchJob& job, const BatchRecord& record, const std::string& group) {
  const auto has_smaller_key = [](const Sampled& a, const Sampled& b) { return a.key < b.key; };
  if (sample_.size() == kSampleSize) {
    if (job.key >= sample_.front().key) return;
    std::ranges::pop_heap(sample_, has_smaller_key);
    sample_.pop_back();
  }
  sample_.push_back({.key = job.key, .group = group, .metrics = record.metrics, .ok = record.outcome != "fail"});
  std::ranges::push_heap(sample_, has_smaller_key);
}

void BatchTable::write_csv() const {
  OutputFile file(folder_.path() / "jobs.csv");
  std::vector<std::string> header{"job", "verb", "input"};
  header.insert(header.end(), options_.begin(), options_.end());
  for (const char* name : {"key", "outcome", "worst_check", "worst_margin", "error"}) header.emplace_back(name);
  for (const std::string& metric : metrics_) {
    header.push_back(option_at_.contains(metric) ? "metric." + metric : metric);
  }
  const auto write = [&file](const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) {
      if (&field != fields.data()) line += ',';
      line += csv_field(field);
    }
    file.write(line += '\n');
  };
  write(header);
  BatchIndex index(folder_);
  std::size_t number = 0;
  while (const std::optional<BatchJob> job = index.next()) write(row_of(*job, ++number));
  file.close();
}

std::vector<std::string> BatchTable::row_of(const BatchJob& job, std::size_t number) const {
  std::vector<std::string> row{fmt::format("{}", number), job.command.at(0), job.command.at(1)};
  std::vector<std::string> options(options_.size());
  for (const Option& option : options_of(job.command)) options[option_at_.at(option.name)] = option.value;
  row.insert(row.end(), options.begin(), options.end());
  const std::optional<BatchRecord> record = folder_.record(job.key);
  const WorstCheck check = record ? worst_check(record->checks) : WorstCheck{};
  const bool is_judged = !check.metric.empty() && std::isfinite(check.margin);
  row.insert(row.end(), {job.key, record ? record->outcome : "not_done", is_judged ? check.metric : "",
                         is_judged ? cell_text(check.margin) : "", record ? record->error : ""});
  std::vector<std::string> metrics(metrics_.size());
  if (record) {
    for (const auto& [name, value] : record->metrics.entries()) {
      const auto at = metric_at_.find(name);
      if (at != metric_at_.end()) metrics[at->second] = cell_text(value);
    }
  }
  row.insert(row.end(), metrics.begin(), metrics.end());
  return row;
}

Result BatchTable::result() const {
  Result result{.verb = "batch", .scenario = ""};
  result.provenance = {.version = version(), .commit = commit()};
  std::map<std::string, std::int64_t> counts;
  for (const auto& [name, group] : groups_) {
    for (const auto& [outcome, count] : group.outcomes) counts[outcome] += static_cast<std::int64_t>(count);
  }
  result.metrics.set("jobs", static_cast<std::int64_t>(num_jobs_));
  result.metrics.set("jobs_passed", counts["pass"]);
  result.metrics.set("jobs_failed", counts["fail"]);
  result.metrics.set("jobs_not_judged", counts["not_judged"]);
  result.metrics.set("jobs_with_error", counts["error"]);
  result.metrics.set("jobs_not_done", counts["not_done"]);
  for (const char* metric : {"jobs_failed", "jobs_with_error", "jobs_not_done"}) {
    result.checks.push_back(judge({metric, Check::Rule::equals, std::int64_t{0}}, result.metrics));
  }
  return result;
}

PageTable BatchTable::outcomes_table() const {
  PageTable table{.title = "Jobs", .header = {"jobs of", "jobs"}};
  for (const char* outcome : kOutcomes) table.header.emplace_back(outcome);
  for (const auto& [name, group] : groups_) {
    std::vector<std::string> row{name, fmt::format("{}", group.num_jobs)};
    for (const char* outcome : kOutcomes) {
      const auto found = group.outcomes.find(outcome);
      row.push_back(fmt::format("{}", found == group.outcomes.end() ? 0 : found->second));
    }
    table.rows.push_back(std::move(row));
    if (table.rows.size() == 100) break;
  }
  if (groups_.size() > table.rows.size())
    table.about = fmt::format("The first {} of {}.", table.rows.size(), groups_.size());
  return table;
}

PageTable BatchTable::worst_table() const {
  PageTable table{.title = "Worst jobs",
                  .about =
                      "Smallest distance of a checked metric to its bound, relative to the bound; negative when the "
                      "check fails. The folder has the job's report and replay.",
                  .header = {"row", "check", "margin", "command", "folder"}};
  for (const Job& worst : worst_) {
    const std::filesystem::path files = folder_.files_folder(worst.job.key);
    table.rows.push_back({fmt::format("{}", worst.number), worst.check.metric,
                          fmt::format("{:.4g}", worst.check.margin), command_text(worst.job.command),
                          files.lexically_relative(folder_.path()).string()});
  }
  return table;
}

PageTable BatchTable::errors_table() const {
  PageTable table{.title = "Errors", .header = {"jobs", "first row", "error"}};
  std::vector<std::pair<std::string, Failure>> errors(errors_.begin(), errors_.end());
  std::ranges::sort(errors, [](const auto& a, const auto& b) {
    return std::pair(b.second.count, a.second.first) < std::pair(a.second.count, b.second.first);
  });
  for (const auto& [text, failure] : errors) {
    if (table.rows.size() == kMostShownErrors) break;
    table.rows.push_back({fmt::format("{}", failure.count), fmt::format("{}", failure.first), text});
  }
  if (errors.size() > table.rows.size()) {
    table.about = fmt::format("The most frequent {} of {} or more; jobs.csv has all.", table.rows.size(),
                              errors.size() + std::min<std::size_t>(other_errors_, 1));
  }
  return table;
}

std::vector<PageTable> BatchTable::distributions() const {
  std::vector<PageTable> tables;
  for (const auto& [name, group] : groups_) {
    if (tables.size() == kMostShownGroups) break;
    std::map<std::string, std::vector<double>> values;
    std::size_t count = 0;
    for (const Sampled& one : sample_) {
      if (one.group != name) continue;
      ++count;
      for (const auto& [metric, value] : one.metrics.entries()) {
        if (const std::optional<double> number = one.metrics.number(metric)) values[metric].push_back(*number);
      }
    }
    if (count == 0) continue;
    const bool is_all = num_jobs_ <= kSampleSize;
    PageTable table{.title = fmt::format("Metrics: {}", name),
                    .about = fmt::format("Over {} jobs{}; percentiles are linearly interpolated.", count,
                                         is_all ? "" : ", a random sample (jobs.csv has all)"),
                    .header = {"metric", "unit", "jobs", "p10", "p50", "p90", "min", "max", "mean"},
                    .is_detail = true};
    for (const std::string& metric : metrics_) {
      const auto found = values.find(metric);
      if (found == values.end()) continue;
      std::vector<double>& of = found->second;
      double sum = 0.0;
      for (const double value : of) sum += value;
      std::ranges::sort(of);
      const MetricInfo* info = find_metric(metric);
      std::vector<std::string> row{metric, info == nullptr ? "" : std::string(info->unit),
                                   fmt::format("{}", of.size())};
      for (const double share : {0.1, 0.5, 0.9, 0.0, 1.0}) row.push_back(fmt::format("{:.4g}", quantile(of, share)));
      row.push_back(fmt::format("{:.4g}", sum / static_cast<double>(of.size())));
      table.rows.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Log BatchTable::sample() const {
  std::vector<std::string> columns{"ok"};
  columns.insert(columns.end(), checked_.begin(), checked_.end());
  Log log(columns);
  std::vector<double> row(columns.size());
  for (const Sampled& one : sample_) {
    row[0] = one.ok ? 1.0 : 0.0;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      row[i] = one.metrics.number(columns[i]).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    log.append(row);
  }
  return log;
}

ReportPage BatchTable::page() const {
  ReportPage page{.title = fmt::format("{} jobs", num_jobs_)};
  page.tables.push_back(outcomes_table());
  if (!worst_.empty()) page.tables.push_back(worst_table());
  if (!errors_.empty()) page.tables.push_back(errors_table());
  for (PageTable& table : distributions()) page.tables.push_back(std::move(table));
  if (num_missing_ > 0) {
    page.notes.push_back(fmt::format("{} jobs are not done yet; the same command continues", num_missing_));
  }
  for (const std::string& metric : checked_) {
    const bool has_values =
        std::ranges::any_of(sample_, [&](const Sampled& one) { return one.metrics.number(metric).has_value(); });
    if (!has_values) continue;
    const MetricInfo* info = find_metric(metric);
    page.scatter_plots.push_back({.title = metric,
                                  .about = "One point a job.",
                                  .x_label = info == nullptr ? metric : fmt::format("{} [{}]", metric, info->unit),
                                  .y_label = "",
                                  .x_column = metric,
                                  .y_column = "",
                                  .ok_column = "ok",
                                  .x_marks = {}});
  }
  return page;
}

}  // namespace aplomb
