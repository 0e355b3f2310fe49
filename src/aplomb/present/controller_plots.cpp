#include "aplomb/present/controller_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace aplomb {
namespace {

constexpr const char* kAxes[] = {"x", "y"};

/// Signals of this library's controllers that are logged but not drawn.
constexpr std::string_view kLoggedOnly[] = {"wanted_linear_rate_z_n",
                                            "wanted_angular_rate_z_nm",
                                            "admitted_linear_rate_z_n",
                                            "admitted_angular_rate_z_nm",
                                            "left_cop_command_x_m",
                                            "left_cop_command_y_m",
                                            "right_cop_command_x_m",
                                            "right_cop_command_y_m",
                                            "left_foot_availability",
                                            "right_foot_availability",
                                            "capture_margin_m",
                                            "swing_foot_position_error_m",
                                            "swing_foot_rotation_error_rad",
                                            "law_in_use",
                                            "left_share",
                                            "zmp_gate",
                                            "reference_lag_m",
                                            "com_lag_m",
                                            "joint_drift_rad",
                                            "damped_levels",
                                            "active_bounds",
                                            "reference_is_left"};

/// Unit suffixes of signal names and the unit shown for each; a suffix comes before those that it ends with.
struct Unit {
  std::string_view suffix, shown;
};
constexpr std::array<Unit, 13> kUnits = {{{"_rad_per_s2", "rad/s^2"},
                                          {"_rad_per_s", "rad/s"},
                                          {"_m_per_s2", "m/s^2"},
                                          {"_m_per_s", "m/s"},
                                          {"_n_per_s", "N/s"},
                                          {"_nm", "N m"},
                                          {"_n", "N"},
                                          {"_rad", "rad"},
                                          {"_kg", "kg"},
                                          {"_hz", "Hz"},
                                          {"_m", "m"},
                                          {"_s", "s"},
                                          {"", "-"}}};

LinePlot rate_plot(const std::string& title, const std::string& about, const std::string& stem, const char* axis,
                   const char* unit_suffix, const char* unit) {
  const std::string column = fmt::format("{}_{}{}", stem, axis, unit_suffix);
  return {.title = title,
          .about = about,
          .y_label = fmt::format("rate {} [{}]", axis, unit),
          .series = {{"admitted_" + column, "admissible"}, {"wanted_" + column, "desired", true}}};
}

std::vector<LinePlot> momentum_balance_plots() {
  std::vector<LinePlot> plots;
  const char* const directions[] = {"forward", "sideways"};
  const char* const turns[] = {"roll", "pitch"};
  for (int i = 0; i < 2; ++i) {
    plots.push_back(rate_plot(std::string("Rate of linear momentum, ") + directions[i],
                              "Desired rate, and the rate that contacts and torque limits admit.", "linear_rate",
                              kAxes[i], "_n", "N"));
  }
  for (int i = 0; i < 2; ++i) {
    plots.push_back(rate_plot(std::string("Rate of angular momentum, ") + turns[i],
                              "Sacrificed first when both rates cannot be realised.", "angular_rate", kAxes[i], "_nm",
                              "N m"));
  }
  plots.push_back({.id = "given_up_by_reason",
                   .title = "Momentum rate not realised, by active constraint",
                   .about = "Linear rate for friction, because the ground cannot pull, or because a torque is at its "
                            "limit [N]; angular rate because a CoP is at its edge or a torque at its limit [N m].",
                   .y_label = "not realised [N], [N m]",
                   .series = {{"given_up_friction_n", "friction"},
                              {"given_up_unilateral_n", "unilateral contact"},
                              {"given_up_cop_nm", "CoP"},
                              {"given_up_torque_n", "torque, linear"},
                              {"given_up_torque_nm", "torque, angular"}}});
  return plots;
}

std::vector<LinePlot> partial_force_plots() {
  return {{.title = "Commanded normal forces",
           .about = "Forces that the law computes for the feet and commands of the hands.",
           .y_label = "force [N]",
           .series = {{"left_foot_command_n", "left foot"},
                      {"right_foot_command_n", "right foot"},
                      {"left_hand_command_n", "left hand"},
                      {"right_hand_command_n", "right hand"}}},
          {.title = "Share of each foot",
           .about = "1: a rigid contact; 0: free; between, its force is taken off or put on.",
           .y_label = "share",
           .series = {{"left_foot_share", "left foot"}, {"right_foot_share", "right foot"}}},
          {.title = "Given up",
           .about = "Residual that a limit leaves: of the controlled forces [N], of the CoM's acceleration [m/s^2].",
           .y_label = "given up [N], [m/s^2]",
           .series = {{"force_given_up_n", "forces"}, {"com_given_up_m_per_s2", "CoM"}}}};
}

std::vector<LinePlot> task_priority_plots() {
  std::vector<LinePlot> plots;
  for (const char* axis : kAxes) {
    const std::string end = fmt::format("_{}_m", axis);
    plots.push_back({.title = std::string("ZMP by the load cells and shift of the CoM, ") + axis,
                     .about = "In the plan's frame. The CoM is shifted against the ZMP's error.",
                     .y_label = fmt::format("{} [m]", axis),
                     .series = {{"zmp_measured" + end, "ZMP measured"},
                                {"zmp_reference" + end, "ZMP reference", true},
                                {"com_shift" + end, "shift of the CoM"}}});
  }
  return plots;
}

const Unit& unit_of(std::string_view name) {
  return *std::ranges::find_if(kUnits, [name](const Unit& unit) { return name.ends_with(unit.suffix); });
}

std::vector<LinePlot> plots_by_unit(const std::vector<std::string>& signals) {
  std::vector<LinePlot> plots;
  for (const std::string& name : signals) {
    const Unit& unit = unit_of(name);
    const std::string label = fmt::format("[{}]", unit.shown);
    auto plot = std::ranges::find(plots, label, &LinePlot::y_label);
    if (plot == plots.end()) {
      plots.push_back(
          {.title = fmt::format("Controller signals {}", label), .about = "As logged each tick.", .y_label = label});
      plot = plots.end() - 1;
    }
    plot->series.push_back({name, name.substr(0, name.size() - unit.suffix.size())});
  }
  return plots;
}

}  // namespace

void add_controller_plots(std::span<const std::string> signals, ReportPage& page) {
  std::vector<std::string> rest(signals.begin(), signals.end());
  std::erase_if(rest,
                [](const std::string& name) { return std::ranges::find(kLoggedOnly, name) != std::end(kLoggedOnly); });
  for (const std::vector<LinePlot>& known : {momentum_balance_plots(), partial_force_plots(), task_priority_plots()}) {
    for (const LinePlot& plot : known) {
      const auto is_logged = [&](const PlotSeries& series) {
        return std::ranges::find(signals, series.column) != signals.end();
      };
      if (!std::ranges::all_of(plot.series, is_logged)) continue;
      page.line_plots.push_back(plot);
      for (const PlotSeries& series : plot.series) std::erase(rest, series.column);
    }
  }
  for (LinePlot& plot : plots_by_unit(rest)) page.line_plots.push_back(std::move(plot));
}

}  // namespace aplomb
