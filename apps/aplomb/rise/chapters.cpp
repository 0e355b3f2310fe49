#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "aplomb/present/scene/human_scene.hpp"
#include "aplomb/present/scene/retarget_scene.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "rise/rise_results.hpp"

// The chapters of a report on some rises.
namespace aplomb {
namespace {

std::string seconds(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

/// A length that should be zero, in millimetres: rounding errors are not spelt out.
std::string small_millimetres(const Metrics& metrics, const std::string& name) {
  const double value = 1e3 * metrics.number(name).value_or(0.0);
  return value < 0.05 ? "below 0.1" : fmt::format("{:.1f}", value);
}

ReportPart table_part(PageTable table) {
  ReportPart part;
  part.page.tables.push_back(std::move(table));
  return part;
}

/// The CoM paths of all rises from the chair to standing in one plot, with the instants of seat-off.
ReportPart com_paths(const std::vector<RiseResults>& rises) {
  std::vector<std::string> columns;
  for (const RiseResults& rise : rises) {
    for (const char* axis : {"x", "z"}) columns.push_back(fmt::format("com_{}_{}_m", rise.name, axis));
  }
  PlanePlot plot{.title = "Centre of mass in the sagittal plane",
                 .about = "Of the simulated robot; compare Mistry et al. 2010, Fig. 7.",
                 .x_label = "forward [m]",
                 .y_label = "up [m]",
                 .x_column = columns[0],
                 .y_column = columns[1]};
  if (rises.size() > 1) plot.label = rises.front().name;
  ReportPart part{.log = Log(columns)};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < rises.size(); ++i) {
    if (i > 0) plot.others.push_back({columns[2 * i], columns[2 * i + 1], rises[i].name});
    const Log& log = rises[i].run.log;
    const std::size_t time = log.index("time_s"), x = log.index("com_x_m"), z = log.index("com_z_m");
    const double off = rises[i].run.result.metrics.number("seat_off_s").value_or(nan);
    bool is_marked = false;
    std::vector<double> row(columns.size(), nan);
    for (std::size_t at = 0; at < log.num_rows(); at += 5) {
      row[2 * i] = log.at(at, x);
      row[2 * i + 1] = log.at(at, z);
      part.log.append(row);
      if (is_marked || !(log.at(at, time) >= off)) continue;
      is_marked = true;
      plot.points.push_back({log.at(at, x), log.at(at, z), "seat-off, " + rises[i].name});
    }
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
    if (!rise.person) continue;
    ReportPart part = part_of(rise.name, rise.person->log, rise.person->page, plots);
    if (&rise == &rises.front()) part.page.scene = make_human_scene(*rise.plan->person, rise.person->log);
    chapter.parts.push_back(std::move(part));
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
  Replayed postures = make_postures_scene(*rise.plan->identified);
  ReportPart replay{.log = std::move(postures.log)};
  replay.page.scene = std::move(postures.scene);
  chapter.parts.push_back(std::move(replay));
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
    table.rows.push_back(
        {rise.name, fmt::format("{:.0f}", metrics.number("frames").value_or(0.0)),
         small_millimetres(metrics, "com_residual_max_m"), millimetres(metrics, "com_target_shift_max_m"),
         fmt::format("{:.2f}", metrics.number("slowdown").value_or(1.0)), millimetres(metrics, "marker_rms_m"),
         millimetres(metrics, "zmp_margin_planned_min_m"), millimetres(metrics, "com_dip_m")});
  }
  chapter.parts.push_back(table_part(std::move(table)));
  for (const RiseResults& rise : rises) {
    ReportPart part = part_of(rise.name, rise.retargeted.log, rise.retargeted.page,
                              {"centre_of_mass_forward", "planned_zmp_forward"});
    if (&rise == &rises.front()) {
      part.page.scene = make_retarget_scene(*rise.plan->trial, *rise.plan->believed, *rise.plan->retargeted);
    }
    chapter.parts.push_back(std::move(part));
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
    ReportPart part = part_of(rise.name, rise.run.log, rise.page, {"cop_and_planned_zmp", "force_of_the_seat"});
    if (&rise == &rises.back())
      part.page.scene = make_run_scene(rise.run);  // the first one is at the top, with the person
    chapter.parts.push_back(std::move(part));
  }
  return chapter;
}

}  // namespace aplomb
