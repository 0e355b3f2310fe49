#include "human/human_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shared/table.hpp"

namespace aplomb {
namespace {

std::string millimetres(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.1f}", 1e3 * *value) : "-";
}

/// "pass", "not judged", or "fail: " with the checks that do not hold.
std::string verdict_of(const Result& result) {
  if (!result.any_check_fails()) return result.verdict() == "not_judged" ? "not judged" : result.verdict();
  std::vector<std::string> failed;
  for (const CheckOutcome& check : result.checks) {
    if (!check.ok) failed.push_back(check.check.metric);
  }
  return fmt::format("fail: {}", fmt::join(failed, ", "));
}

}  // namespace

PageTable trials_table(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs) {
  PageTable table{.title = "Trials",
                  .about = "This page shows the first; the others have folders of their own.",
                  .header = {"trial", "markers [mm]", "CoP x [mm]", "CoP y [mm]", "mass [kg]", "rises", "verdict"}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Metrics& metrics = outputs[i].result.metrics;
    const auto mass = metrics.number("mass_from_plates_kg");
    table.rows.push_back({analyses[i].name, millimetres(metrics, "marker_rms_m"), millimetres(metrics, "cop_x_rms_m"),
                          millimetres(metrics, "cop_y_rms_m"), mass ? fmt::format("{:.1f}", *mass) : "-",
                          fmt::format("{}", analyses[i].judgement.rises.rises.size()), verdict_of(outputs[i].result)});
  }
  return table;
}

std::string human_text(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs) {
  if (outputs.size() == 1) return result_text(outputs[0].result, outputs[0].page.tables);
  const PageTable table = trials_table(analyses, outputs);
  return aligned_table(table.header, table.rows);
}

}  // namespace aplomb
