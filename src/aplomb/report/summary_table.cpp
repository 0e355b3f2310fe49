#include "aplomb/report/summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "aplomb/core/progress.hpp"
#include "aplomb/report/check_text.hpp"
#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostMetrics = 40;
constexpr std::size_t kLongestValue = 60;

class Painter {
 public:
  explicit Painter(bool with_colours) : with_colours_(with_colours) {}
  std::string good(std::string_view text) const { return paint("1;32", text); }
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string faint(std::string_view text) const { return paint("2", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    return with_colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool with_colours_;
};

std::string with_unit(std::string value, std::string_view name) {
  const std::string unit = unit_of(name);
  if (value.size() > kLongestValue) value = value.substr(0, kLongestValue) + "...";
  return unit.empty() || value == "null" ? value : value + " " + unit;
}

const char* sign_of(Check::Rule rule) {
  return rule == Check::Rule::below ? "<" : rule == Check::Rule::above ? ">" : "=";
}

std::string painted_verdict(const Result& result, const Painter& painter) {
  if (result.checks.empty()) return painter.faint("NOT JUDGED");
  return result.any_check_fails() ? painter.bad("FAIL") : painter.good("PASS");
}

void add_checks(const Result& result, const Painter& painter, std::string& text) {
  if (result.checks.empty()) return;
  struct Row {
    std::string metric, value, bound;
    bool ok;
  };
  std::vector<Row> rows;
  std::size_t name_width = 5, value_width = 8;
  for (const CheckOutcome& outcome : result.checks) {
    const auto [value, bound] = text_of(outcome);
    const std::string& metric = outcome.check.metric;
    rows.push_back({metric, with_unit(value, metric),
                    fmt::format("{} {}", sign_of(outcome.check.rule), with_unit(bound, metric)), outcome.ok});
    name_width = std::max(name_width, metric.size());
    value_width = std::max(value_width, rows.back().value.size());
  }
  text +=
      painter.faint(fmt::format("\n        {:{}}  {:{}}  required\n", "check", name_width, "measured", value_width));
  for (const Row& row : rows) {
    const std::string status = row.ok ? painter.good("ok  ") : painter.bad("FAIL");
    text += fmt::format("  {}  {:{}}  {:{}}  {}\n", status, row.metric, name_width, row.value, value_width, row.bound);
  }
}

void add_faults(const Result& result, std::string& text) {
  if (result.faults.empty()) return;
  text += "\n";
  for (const Fault& fault : result.faults) {
    text += fmt::format("  injected fault {} at {:.4g} s: {}\n", fault.name, fault.start_s, fault.fallback);
  }
}

/// Adds the metrics that exist in this run and are not shown with the checks.
void add_metrics(const Result& result, const Painter& painter, std::string& text) {
  std::vector<const std::pair<std::string, MetricValue>*> shown;
  std::size_t name_width = 6;
  for (const auto& entry : result.metrics.entries()) {
    const bool is_checked = std::ranges::any_of(
        result.checks, [&](const CheckOutcome& outcome) { return outcome.check.metric == entry.first; });
    if (is_checked || std::holds_alternative<std::monostate>(entry.second)) continue;
    shown.push_back(&entry);
    name_width = std::max(name_width, entry.first.size());
  }
  if (shown.empty()) return;
  text += painter.faint(fmt::format("\n  {:{}}  value\n", "metric", name_width));
  const std::size_t num_shown = std::min(shown.size(), kMostMetrics);
  for (std::size_t i = 0; i < num_shown; ++i) {
    const auto& [name, value] = *shown[i];
    text += fmt::format("  {:{}}  {}\n", name, name_width, with_unit(to_text(value), name));
  }
  if (num_shown < shown.size()) {
    text += painter.faint(fmt::format("  and {} more: `--json` prints all\n", shown.size() - num_shown));
  }
}

}  // namespace

std::string summary_table(const Result& result, bool with_colours) {
  const Painter painter(with_colours);
  const std::string& name = result.scenario.empty() ? result.verb : result.scenario;
  std::string text = fmt::format("{}  {}: {}\n", painted_verdict(result, painter), name, count_text(result));
  add_checks(result, painter, text);
  add_faults(result, text);
  add_metrics(result, painter, text);
  return text;
}

bool wants_colours(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return is_terminal(descriptor) && (refused == nullptr || *refused == '\0');
}

}  // namespace aplomb
