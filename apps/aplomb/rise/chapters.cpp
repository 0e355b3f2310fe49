#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "rise/rise_results.hpp"

// The chapters of a report on some rises.
namespace aplomb {
namespace {

std::string seconds(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

ReportPart table_part(PageTable table) {
  ReportPart part;
  part.page.tables.push_back(std::move(table));
  return part;
}

/// The CoM paths of all rises from the chair to standing in one plot, with the instants of seat-off.
ReportPart com_paths(const std::vector<RiseResults>& rises) {
  ReportPart part{.log = Log({"com_x_m", "com_z_m"})};
  PlanePlot plot{.title = "Centre of mass in the sagittal plane",
                 .about = "Of the simulated robot; compare Mistry et al. 2010, Fig. 7.",
                 .x_label = "forward [m]",
                 .y_label = "up [m]",
                 .x_column = "com_x_m",
                 .y_column = "com_z_m"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const RiseResults& rise : rises) {
    const Log& log = rise.run.log;
    const std::size_t time = log.index("time_s"), x = log.index("com_x_m"), z = log.index("com_z_m");
    const double off = rise.run.result.metrics.number("seat_off_s").value_or(nan);
    bool is_marked = false;
    for (std::size_t row = 0; row < log.num_rows(); row += 5) {
      part.log.append(std::vector{log.at(row, x), log.at(row, z)});
      if (is_marked || !(log.at(row, time) >= off)) continue;
      is_marked = true;
      plot.points.push_back({log.at(row, x), log.at(row, z), "seat-off, " + rise.name});
    }
    part.log.append(std::vector{nan, nan});
  }
  part.page.plane_plots.push_back(std::move(plot));
  return part;
}

}  // namespace

ReportPart part_of(const std::string& name, const Log& log, const ReportPage& page,
                   const std::vector<std::string>& ids) {
  ReportPart part{.log = log};
  const auto take = [&](const auto& from, auto& into) {
    for (const auto& plot : from) {
      if (std::ranges::find(ids, plot_id(plot)) == ids.end()) continue;
      into.push_back(plot);
      if (name.empty()) continue;
      into.back().id = fmt::format("{}_{}", plot_id(plot), name);
      into.back().title = fmt::format("{}, {}", plot.title, name);
    }
  };
  take(page.line_plots, part.page.line_plots);
  take(page.plane_plots, part.page.plane_plots);
  return part;
}

ReportChapter person_chapter(const std::vector<RiseResults>& rises, const std::vector<std::string>& plots) {
  ReportChapter chapter{
      .title = "The person's centre of mass",
      .text =
          "A skeleton scaled to the person is fitted to the markers, and the masses of its segments give the centre "
          "of mass. Force plates validate it: the body's motion determines the centre of pressure at each instant, and "
          "the plates have measured it. Mistry et al. 2010 adjusted their model by hand until both agreed within 2 cm; "
          "here the adjustment is automatic, and validated on a part of the recording that it does not use."};
  PageTable table{
      .title = "Agreement with the force plates",
      .header = {"rise", "marker RMS [mm]", "CoP forward, RMS [mm]", "CoP held out, RMS [mm]", "mass [kg]"}};
  for (const RiseResults& rise : rises) {
    if (!rise.person) continue;
    const Metrics& metrics = rise.person->result.metrics;
    const auto mass = metrics.number("mass_from_plates_kg");
    table.rows.push_back({rise.name, millimetres(metrics, "marker_rms_m"), millimetres(metrics, "cop_x_rms_m"),
                          millimetres(metrics, "cop_x_holdout_rms_m"), mass ? fmt::format("{:.1f}", *mass) : "-"});
  }
  chapter.parts.push_back(table_part(std::move(table)));
  for (const RiseResults& rise : rises) {
    if (rise.person) chapter.parts.push_back(part_of(rise.name, rise.person->log, rise.person->page, plots));
  }
  return chapter;
}

ReportChapter masses_chapter(const RiseResults& rise, const IdentifyOutput& identified) {
  const Metrics& metrics = identified.result.metrics;
  ReportChapter chapter{
      .title = "The robot's masses",
      .text = fmt::format(
          "The robot is not what its CAD model says: the model has {:.0f} kg, the robot {:.0f} kg, and the model's "
          "centre of mass is {} mm off. Therefore the robot holds {} postures. At rest the centre of mass is above the "
          "centre of pressure, which the foot sensors measure; the masses identified from it predict it within {} mm "
          "in "
          "postures that were not used. This is a simulation, in which robot and model have the same geometry; the "
          "19.6 "
          "mm of Mistry et al. 2010 were measured on hardware, with all of its errors.",
          rise.plan->identified->cad->mass(), rise.run.setup.robot->mass(), millimetres(metrics, "cad_holdout_rms_m"),
          rise.plan->identified->postures.postures.size(), millimetres(metrics, "holdout_rms_m"))};
  ReportPart part =
      part_of("", identified.log, identified.page, {"predicted_com_and_measured_cop_over_postures_forward"});
  part.page.tables.push_back(identified.page.tables.front());
  chapter.parts.push_back(std::move(part));
  return chapter;
}

ReportChapter plan_chapter(const std::vector<RiseResults>& rises) {
  ReportChapter chapter{
      .title = "The rise, mapped to the robot",
      .text =
          "The robot has another size than the person, other masses and other joints. Its centre of mass follows the "
          "person's path, scaled to its leg length, and its limbs follow the markers, within the limits of its joints "
          "and of the forces between robot, chair and ground. Where these demand it, the path is moved (CoM shift) and "
          "the motion slowed. The ZMP is kept inside the soles, which Mistry et al. 2010 left to future work."};
  PageTable table{.title = "Plans",
                  .header = {"rise", "frames", "CoM constraint residual [mm]", "CoM shift [mm]", "slowdown",
                             "marker RMS [mm]", "ZMP margin [mm]", "CoM descent [mm]"}};
  for (const RiseResults& rise : rises) {
    const Metrics& metrics = rise.retargeted.result.metrics;
    table.rows.push_back({rise.name, fmt::format("{:.0f}", metrics.number("frames").value_or(0.0)),
                          fmt::format("{:.1e}", 1e3 * metrics.number("com_residual_max_m").value_or(0.0)),
                          millimetres(metrics, "com_target_shift_max_m"),
                          fmt::format("{:.2f}", metrics.number("slowdown").value_or(1.0)),
                          millimetres(metrics, "marker_rms_m"), millimetres(metrics, "zmp_margin_planned_min_m"),
                          millimetres(metrics, "com_dip_m")});
  }
  chapter.parts.push_back(table_part(std::move(table)));
  for (const RiseResults& rise : rises) {
    chapter.parts.push_back(part_of(rise.name, rise.retargeted.log, rise.retargeted.page,
                                    {"centre_of_mass_forward", "planned_zmp_forward"}));
  }
  return chapter;
}

ReportChapter standing_up_chapter(const std::vector<RiseResults>& rises) {
  ReportChapter chapter{
      .title = "The robot stands up",
      .text =
          "The simulated robot sits on a chair and executes the plan at the plan's speed. While it is seated, its "
          "joints track the plan with the plan's torques as feed-forward. From seat-off on, every millisecond the "
          "controller computes admissible contact forces that keep the centre of mass on its path."};
  PageTable table{.title = "Tracking and balance", .header = {""}};
  for (const RiseResults& rise : rises) table.header.push_back(rise.name);
  const auto add = [&](const char* name, const auto& text_of) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name});
    for (const RiseResults& rise : rises) row.push_back(text_of(rise.run.result.metrics));
  };
  add("stands and holds", [](const Metrics& metrics) {
    return std::string(metrics.number("stood_up").value_or(0.0) > 0.0 ? "yes" : "no");
  });
  add("seat-off, planned [s]", [](const Metrics& metrics) { return seconds(metrics, "seat_off_planned_s"); });
  add("seat-off [s]", [](const Metrics& metrics) { return seconds(metrics, "seat_off_s"); });
  const std::pair<const char*, const char*> lengths[] = {{"forward CoM error, RMS [mm]", "com_x_error_rms_m"},
                                                         {"forward CoM error, max [mm]", "com_x_error_max_m"},
                                                         {"CoP against planned ZMP, RMS [mm]", "cop_zmp_rms_m"},
                                                         {"heel margin [mm]", "heel_margin_min_m"},
                                                         {"toe margin [mm]", "toe_margin_min_m"},
                                                         {"CoM drift in two seconds [mm]", "hold_drift_m"}};
  for (const auto& [name, key] : lengths) {
    add(name, [key = key](const Metrics& metrics) { return millimetres(metrics, key); });
  }
  chapter.parts.push_back(table_part(std::move(table)));
  chapter.parts.push_back(com_paths(rises));
  for (const RiseResults& rise : rises) {
    chapter.parts.push_back(part_of(rise.name, rise.run.log, rise.page, {"cop_and_planned_zmp", "force_of_the_seat"}));
  }
  return chapter;
}

}  // namespace aplomb
