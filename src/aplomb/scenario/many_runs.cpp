#include "aplomb/scenario/many_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/version.hpp"

namespace aplomb {
std::string failure_text(const RunRecord& record) {
  if (!record.error.empty()) return record.error;
  std::string text = fmt::format("{}", fmt::join(record.failed_checks, ", "));
  const MetricValue* rise = record.metrics.find("rise_failure");
  if (rise != nullptr && std::holds_alternative<std::string>(*rise)) text += ": " + std::get<std::string>(*rise);
  return text;
}

std::vector<std::pair<std::string, std::string>> work_of(const Scenario& scenario, std::string_view kind) {
  std::error_code ignored;
  return {{"kind", std::string(kind)},
          {"scenario", sha256(scenario.text)},
          {"folder", std::filesystem::absolute(scenario.folder, ignored).string()},
          {"robot", scenario.robot},
          {"robot_model", scenario.robot_model},
          {"version", fmt::format("{} ({})", version(), commit())}};
}

std::vector<std::string> notes_on_unjudged(const Scenario& scenario,
                                           const std::function<bool(std::string_view)>& judges) {
  std::vector<std::string> notes;
  for (const Check& check : scenario.checks_of_all) {
    if (judges(check.metric)) continue;
    notes.push_back(fmt::format("the check on {} was not made: it judges many runs, which {} makes", check.metric,
                                is_search_metric(check.metric) ? "a search" : "--repeat"));
  }
  return notes;
}

}  // namespace aplomb
