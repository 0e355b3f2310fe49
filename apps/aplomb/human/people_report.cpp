#include "human/people_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "aplomb/human/phases/rise_table.hpp"

namespace aplomb {
namespace {

std::string millimetres(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.1f}", 1e3 * *value) : "-";
}

std::string kilograms(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.1f}", *value) : "-";
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

/// Root mean square over the frames of the CoM's standard deviation, all axes together.
std::string uncertainty_of(const TrialAnalysis& analysis) {
  const Matrix3Xd& com = analysis.judgement.uncertainty.com;
  return com.cols() > 0 ? fmt::format("{:.1f}", 1e3 * std::sqrt(com.colwise().squaredNorm().mean())) : "-";
}

bool has_people(const std::vector<TrialOfPerson>& trials) {
  return std::ranges::any_of(trials, [](const TrialOfPerson& trial) { return !trial.person.empty(); });
}

/// Header and rows with the person in front where there are several.
void add_row(PageTable& table, const TrialOfPerson& trial, bool has_person, std::vector<std::string> cells) {
  if (has_person) cells.insert(cells.begin(), trial.person);
  table.rows.push_back(std::move(cells));
}

/// "0.83 ± 0.05" over the values that exist.
std::string mean_and_deviation(const std::vector<double>& values, int digits) {
  double sum = 0.0, squares = 0.0, count = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    squares += value * value;
    count += 1.0;
  }
  if (count == 0.0) return "-";
  const double mean = sum / count;
  if (count < 2.0) return fmt::format("{:.{}f}", mean, digits);
  const double deviation = std::sqrt(std::max(0.0, squares - count * mean * mean) / (count - 1.0));
  return fmt::format("{:.{}f} ± {:.{}f}", mean, digits, deviation, digits);
}

}  // namespace

PageTable trials_table(const std::vector<TrialOfPerson>& trials) {
  const bool has_person = has_people(trials);
  PageTable table{
      .title = "Trials",
      .about = "CoP: of the motion against the plates, root mean square. CoM: its standard deviation.",
      .header = {"trial", "markers [mm]", "CoP x [mm]", "CoP y [mm]", "CoM [mm]", "mass [kg]", "rises", "verdict"}};
  if (has_person) table.header.insert(table.header.begin(), "person");
  for (const TrialOfPerson& trial : trials) {
    const Metrics& metrics = trial.output->result.metrics;
    add_row(table, trial, has_person,
            {trial.analysis->name, millimetres(metrics, "marker_rms_m"), millimetres(metrics, "cop_x_rms_m"),
             millimetres(metrics, "cop_y_rms_m"), uncertainty_of(*trial.analysis),
             kilograms(metrics, "mass_from_plates_kg"), fmt::format("{}", trial.analysis->judgement.rises.rises.size()),
             verdict_of(trial.output->result)});
  }
  return table;
}

PageTable rises_by_trial(const std::vector<TrialOfPerson>& trials) {
  struct Shown {
    const char *column, *title;
    int digits;
  };
  constexpr Shown kShown[] = {{"leaning_time_s", "leaning [s]", 2},
                              {"rising_time_s", "rising [s]", 2},
                              {"com_speed_forward_peak_m_per_s", "CoM forward [m/s]", 2},
                              {"com_speed_up_peak_m_per_s", "CoM up [m/s]", 2},
                              {"left_force_ratio", "left foot's part", 2},
                              {"seat_share_peak_ratio", "seat's share", 2},
                              {"left_knee_flexion_moment_peak_nm_per_kg", "left knee [N m/kg]", 2},
                              {"right_knee_flexion_moment_peak_nm_per_kg", "right knee [N m/kg]", 2}};
  const bool has_person = has_people(trials);
  PageTable table{.title = "Rises by trial",
                  .about =
                      "Mean and standard deviation over the rises of a trial; each rise is in rises.csv. Moments "
                      "without plates are those of forces found from the motion alone.",
                  .header = {"trial", "rises", "five times [s]"}};
  if (has_person) table.header.insert(table.header.begin(), "person");
  for (const Shown& one : kShown) table.header.emplace_back(one.title);
  for (const TrialOfPerson& trial : trials) {
    const Log rises = rise_table(*trial.analysis);
    if (rises.num_rows() == 0) continue;
    const std::optional<double> five = five_times_sit_to_stand_s(rises);
    std::vector<std::string> cells{trial.analysis->name, fmt::format("{}", rises.num_rows()),
                                   five ? fmt::format("{:.2f}", *five) : "-"};
    for (const Shown& one : kShown) cells.push_back(mean_and_deviation(rises.column(one.column), one.digits));
    add_row(table, trial, has_person, std::move(cells));
  }
  return table;
}

}  // namespace aplomb
