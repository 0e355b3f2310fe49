#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "aplomb/demonstrator/person.hpp"
#include "demo/story.hpp"

// What the report of `aplomb demo` tells, chapter by chapter.
namespace aplomb {
namespace {

std::string seconds(const Metrics& metrics, const char* name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

/// Some plots of a page, by title, with the style in front of it.
ReportPart part_of(const std::string& style, const Log& log, const ReportPage& page,
                   const std::vector<std::string>& titles) {
  ReportPart part{.log = log};
  const auto take = [&](const auto& from, auto& into) {
    for (const auto& plot : from) {
      if (std::ranges::find(titles, plot.title) == titles.end()) continue;
      into.push_back(plot);
      if (!style.empty()) into.back().title = fmt::format("{}, {}", plot.title, style);
    }
  };
  take(page.line_plots, part.page.line_plots);
  take(page.plane_plots, part.page.plane_plots);
  return part;
}

ReportPart table_part(PageTable table) {
  ReportPart part;
  part.page.tables.push_back(std::move(table));
  return part;
}

ReportChapter demonstration(const DemoStory& story) {
  const Person who;
  ReportChapter chapter{
      .title = "A person stands up",
      .text = fmt::format(
          "Somebody of {:.2f} m and {:.0f} kg rises from a chair twice: as most of us do, and as elderly people do, "
          "who "
          "bend far forward first and let the trunk come up last. Nobody was in a laboratory for this: the person "
          "is computed. But what is kept of the rise is what a laboratory would have, markers with a millimetre of "
          "noise and two force plates, in natural.c3d and elderly.c3d beside this page, and the steps that follow "
          "read nothing else.",
          who.height_m, who.mass_kg)};
  for (const DemoRise& rise : story.rises) {
    chapter.parts.push_back(
        part_of(rise.style, rise.person.log, rise.person.page, {"Vertical force", "CoM in the sagittal plane"}));
  }
  return chapter;
}

ReportChapter person(const DemoStory& story) {
  ReportChapter chapter{
      .title = "Where was the centre of mass?",
      .text =
          "A skeleton of the person's size is fitted to the markers, and the masses of its segments give the centre "
          "of mass. Whether to believe it, the force plates decide: a body that moves like this must press on the "
          "floor at one certain point at each instant, and the plates have measured that point. The paper adjusted "
          "its model by hand until both agreed within 2 cm; here it is done automatically, and judged on the part "
          "of the recording that was left out."};
  PageTable table{.title = "The plates' verdict",
                  .header = {"style", "markers [mm]", "CoP forward, RMS [mm]", "CoP left out, RMS [mm]", "mass [kg]"}};
  for (const DemoRise& rise : story.rises) {
    const Metrics& metrics = rise.person.result.metrics;
    table.rows.push_back({rise.style, millimetres(metrics, "marker_rms_m"), millimetres(metrics, "cop_x_rms_m"),
                          millimetres(metrics, "cop_x_holdout_rms_m"),
                          fmt::format("{:.1f}", metrics.number("mass_from_plates_kg").value_or(0.0))});
  }
  chapter.parts.push_back(table_part(std::move(table)));
  for (const DemoRise& rise : story.rises) {
    chapter.parts.push_back(part_of(rise.style, rise.person.log, rise.person.page, {"CoP, forward", "Centre of mass"}));
  }
  return chapter;
}

ReportChapter masses(const DemoStory& story) {
  const Metrics& metrics = story.identified.result.metrics;
  const DemoRise& rise = story.rises.front();
  ReportChapter chapter{
      .title = "What does the robot weigh, and where?",
      .text = fmt::format(
          "The robot carries hoses, electronics and a backpack that its drawings know nothing of: they say {:.0f} kg, "
          "and it weighs {:.0f} kg. By the drawings its centre of mass is {} mm off. So it is asked to hold {} "
          "postures. At rest the centre of mass is above the centre of pressure, which the feet measure, and that is "
          "enough to find masses which predict it within {} mm in postures that were not used (the paper: 19.6 mm).",
          rise.plan->identified->cad->mass(), rise.run.setup.robot->mass(), millimetres(metrics, "cad_holdout_rms_m"),
          rise.plan->identified->postures.postures.size(), millimetres(metrics, "holdout_rms_m"))};
  ReportPart part = part_of("", story.identified.log, story.identified.page,
                            {"Predicted CoM and measured CoP over postures, forward"});
  part.page.tables.push_back(story.identified.page.tables.front());
  chapter.parts.push_back(std::move(part));
  return chapter;
}

ReportChapter plan(const DemoStory& story) {
  ReportChapter chapter{
      .title = "The same rise, for another body",
      .text =
          "The robot is shorter and heavier than the person, and built differently. Its centre of mass must follow "
          "the person's path, scaled to its legs: that is an equation, which every frame meets. Its limbs follow "
          "the markers as well as that allows. And the point on the floor at which it will press, the ZMP, is kept "
          "inside its soles: the paper left that to further work."};
  PageTable table{.title = "The plans",
                  .header = {"style", "frames", "CoM off the equation [mm]", "markers [mm]",
                             "ZMP inside the soles by [mm]", "CoM goes down by [mm]"}};
  for (const DemoRise& rise : story.rises) {
    const Metrics& metrics = rise.retargeted.result.metrics;
    table.rows.push_back({rise.style, fmt::format("{:.0f}", metrics.number("frames").value_or(0.0)),
                          fmt::format("{:.1e}", 1e3 * metrics.number("com_residual_max_m").value_or(0.0)),
                          millimetres(metrics, "marker_rms_m"), millimetres(metrics, "zmp_margin_planned_min_m"),
                          millimetres(metrics, "com_dip_m")});
  }
  chapter.parts.push_back(table_part(std::move(table)));
  for (const DemoRise& rise : story.rises) {
    chapter.parts.push_back(part_of(rise.style, rise.retargeted.log, rise.retargeted.page,
                                    {"Centre of mass, forward", "Planned ZMP, forward"}));
  }
  return chapter;
}

/// The CoM's way from the chair to standing, both styles in one picture, with the instants at which the seat is left.
ReportPart both_paths(const DemoStory& story) {
  ReportPart part{.log = Log({"com_x_m", "com_z_m"})};
  PlanePlot plot{.title = "Centre of mass in the sagittal plane",
                 .about = "As measured on the robot; the picture of Mistry et al. 2010, Fig. 7.",
                 .x_label = "forward [m]",
                 .y_label = "up [m]",
                 .x_column = "com_x_m",
                 .y_column = "com_z_m"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const DemoRise& rise : story.rises) {
    const Log& log = rise.run.log;
    const std::size_t time = log.index("time_s"), x = log.index("com_x_m"), z = log.index("com_z_m");
    const double off = rise.run.result.metrics.number("seat_off_s").value_or(nan);
    bool is_marked = false;
    for (std::size_t row = 0; row < log.num_rows(); row += 5) {
      part.log.append(std::vector{log.at(row, x), log.at(row, z)});
      if (is_marked || !(log.at(row, time) >= off)) continue;
      is_marked = true;
      plot.points.push_back({log.at(row, x), log.at(row, z), "seat-off, " + rise.style});
    }
    part.log.append(std::vector{nan, nan});
  }
  part.page.plane_plots.push_back(std::move(plot));
  return part;
}

ReportChapter standing_up(const DemoStory& story) {
  ReportChapter chapter{
      .title = "The robot stands up",
      .text =
          "Now the robot sits on a chair in simulation and does it, at full speed. While it sits, its joints follow "
          "the plan with the plan's own torques. From seat-off on the feet are all it has, and each millisecond the "
          "controller asks which forces they can give, and keeps the centre of mass on its way with them. "
          "The replay above is the natural rise; the elderly one is in the folder elderly."};
  PageTable table{.title = "How well", .header = {""}};
  for (const DemoRise& rise : story.rises) table.header.push_back(rise.style);
  const auto add = [&](const char* name, const auto& text_of) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name});
    for (const DemoRise& rise : story.rises) row.push_back(text_of(rise.run.result.metrics));
  };
  add("stands and holds", [](const Metrics& metrics) {
    return std::string(metrics.number("stood_up").value_or(0.0) > 0.0 ? "yes" : "no");
  });
  add("seat-off, planned [s]", [](const Metrics& metrics) { return seconds(metrics, "seat_off_planned_s"); });
  add("seat-off [s]", [](const Metrics& metrics) { return seconds(metrics, "seat_off_s"); });
  const std::pair<const char*, const char*> lengths[] = {{"CoM forward off the plan, RMS [mm]", "com_x_error_rms_m"},
                                                         {"the same at worst [mm]", "com_x_error_max_m"},
                                                         {"CoP from the planned ZMP, RMS [mm]", "cop_zmp_rms_m"},
                                                         {"heel left over [mm]", "heel_margin_min_m"},
                                                         {"toe left over [mm]", "toe_margin_min_m"},
                                                         {"drift in two seconds [mm]", "hold_drift_m"}};
  for (const auto& [name, key] : lengths) {
    add(name, [key = key](const Metrics& metrics) { return millimetres(metrics, key); });
  }
  chapter.parts.push_back(table_part(std::move(table)));
  chapter.parts.push_back(both_paths(story));
  for (const DemoRise& rise : story.rises) {
    chapter.parts.push_back(part_of(rise.style, rise.run.log, rise.page, {"CoP and planned ZMP", "Force of the seat"}));
  }
  return chapter;
}

}  // namespace

std::vector<ReportChapter> chapters_of(const DemoStory& story) {
  return {demonstration(story), person(story), masses(story), plan(story), standing_up(story)};
}

}  // namespace aplomb
