#include "aplomb/present/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "aplomb/control/failsafe/ladder.hpp"
#include "aplomb/present/controller_plots.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};
constexpr const char* kAxes[] = {"x", "y", "z"};

/// Row of seat-off: the first one after the seat was last loaded; absent when there is none.
std::optional<std::size_t> seat_off_row(const Log& log) {
  constexpr double kSeated = 1.0;  // [N]
  const std::size_t column = log.index("seat_force_z_n");
  std::size_t row = log.num_rows();
  while (row > 0 && !(log.at(row - 1, column) > kSeated)) --row;
  return row > 0 && row < log.num_rows() ? std::make_optional(row) : std::nullopt;
}

/// CoP of each foot over time, as in Lee and Goswami 2010, Fig. 8b, and Del Prete et al. 2014, Fig. 3.
void add_cop_plots(const RobotModel& robot, ReportPage& page) {
  const auto& [left, right] = robot.description().soles;
  if (!left || !right) return;
  const char* const directions[] = {"forward", "to the left"};
  const auto edges_of = [](const Sole& sole, std::size_t axis) {
    return axis == 0 ? std::vector{sole.x_min, sole.x_max} : std::vector{sole.y_min, sole.y_max};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const bool are_alike = edges_of(*left, i) == edges_of(*right, i);
    page.line_plots.push_back({.title = fmt::format("Centre of pressure of each foot, {}", directions[i]),
                               .about = fmt::format("In the foot's frame, 20 Hz low-pass; {}.",
                                                    are_alike ? "the limits are the edges of either sole"
                                                              : "the plots of one foot show its sole"),
                               .y_label = fmt::format("CoP {} [m]", kAxes[i]),
                               .series = {{fmt::format("left_cop_{}_m", kAxes[i]), "left foot"},
                                          {fmt::format("right_cop_{}_m", kAxes[i]), "right foot"}},
                               .limits = are_alike ? edges_of(*left, i) : std::vector<double>{}});
  }
}

/// CoP of each foot beside the one that its controller commands, which is inside the admissible region, as in Lee and
/// Goswami 2010, Fig. 8b.
void add_commanded_cop_plots(const RobotModel& robot, const Log& log, ReportPage& page) {
  const char* const directions[] = {"forward", "to the left"};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::optional<Sole>& sole = robot.description().soles[side];
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string command = fmt::format("{}_cop_command_{}_m", kSides[side], kAxes[i]);
      if (!sole || !log.has(command)) continue;
      page.line_plots.push_back(
          {.title = fmt::format("Centre of pressure of the {} foot, {}: commanded and measured", kSides[side],
                                directions[i]),
           .about = "In the foot's frame; measured: 20 Hz low-pass. The limits are the edges of the sole.",
           .y_label = fmt::format("CoP {} [m]", kAxes[i]),
           .series = {{fmt::format("{}_cop_{}_m", kSides[side], kAxes[i]), "measured"}, {command, "commanded", true}},
           .limits = i == 0 ? std::vector{sole->x_min, sole->x_max} : std::vector{sole->y_min, sole->y_max}});
    }
  }
}

/// Error of the pose of a foot in the air   (Lee and Goswami 2010, eq. 15), where there is one.
void add_swing_foot_plots(const Log& log, ReportPage& page) {
  const struct {
    const char *column, *title, *label;
  } plots[] = {{"swing_foot_position_error_m", "Position error of the foot in the air", "error [m]"},
               {"swing_foot_rotation_error_rad", "Rotation error of the foot in the air", "error [rad]"}};
  for (const auto& plot : plots) {
    if (!log.has(plot.column)) continue;
    const std::size_t column = log.index(plot.column);
    bool is_any = false;
    for (std::size_t row = 0; row < log.num_rows() && !is_any; ++row) is_any = std::isfinite(log.at(row, column));
    if (!is_any) continue;
    page.line_plots.push_back(
        {.title = plot.title,
         .about = "From the pose at which it left the ground, carried along by the standing foot.",
         .y_label = plot.label,
         .series = {{plot.column, "foot in the air"}}});
  }
}

std::vector<std::string> busiest_joints(const RobotModel& robot, const Log& log, std::size_t count) {
  std::vector<std::pair<double, std::string>> peaks;
  for (const Joint& joint : robot.joints()) {
    const std::size_t column = log.index("torque_ratio_" + joint.name);
    double peak = 0.0;
    for (std::size_t row = 0; row < log.num_rows(); ++row) peak = std::max(peak, std::abs(log.at(row, column)));
    peaks.emplace_back(-peak, joint.name);
  }
  std::ranges::stable_sort(peaks, {}, [](const auto& peak) { return peak.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, peaks.size()); ++i) names.push_back(peaks[i].second);
  return names;
}

/// Angles of the joints that move most, as in Galdeano et al. 2014, Fig. 9.
void add_joint_plot(const RobotModel& robot, const Log& log, ReportPage& page) {
  constexpr std::size_t kMost = 7;  // as many as there are colours
  std::vector<std::pair<double, std::string>> ranges;
  for (const Joint& joint : robot.joints()) {
    const std::string name = fmt::format("position_{}_rad", joint.name);
    if (joint.is_prismatic || !log.has(name)) continue;
    const std::size_t column = log.index(name);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t row = 0; row < log.num_rows(); ++row) {
      low = std::min(low, log.at(row, column));
      high = std::max(high, log.at(row, column));
    }
    ranges.emplace_back(low - high, joint.name);
  }
  std::ranges::stable_sort(ranges, {}, [](const auto& range) { return range.first; });
  LinePlot plot{.id = "joint_angles_busiest_joints",
                .title = "Joint angles, joints that move most",
                .about = "Of the simulated robot, as in Galdeano et al. 2014, Fig. 9.",
                .y_label = "angle [rad]"};
  for (std::size_t i = 0; i < std::min(kMost, ranges.size()); ++i) {
    plot.series.push_back({fmt::format("position_{}_rad", ranges[i].second), ranges[i].second});
  }
  page.line_plots.push_back(std::move(plot));
}

void add_rise_plots(const Log& log, ReportPage& page) {
  page.plane_plots.push_back({.title = "Centre of mass in the sagittal plane",
                              .about = "From the chair to standing, as in Mistry et al. 2010, Fig. 7.",
                              .x_label = "forward [m]",
                              .y_label = "up [m]",
                              .x_column = "com_x_m",
                              .y_column = "com_z_m"});
  if (const auto row = seat_off_row(log)) {
    page.plane_plots.back().points.push_back(
        {log.at(*row, log.index("com_x_m")), log.at(*row, log.index("com_z_m")), "seat-off"});
  }
  if (log.has("com_believed_x_m")) {
    PlanePlot plot{.id = "centre_of_mass_in_the_sagittal_plane_by_both_masses",
                   .title = "Centre of mass in the sagittal plane, by believed and CAD masses",
                   .about =
                       "One executed motion, evaluated with the masses that plan and controller believe in and with "
                       "the CAD's, as in Mistry et al. 2010, Fig. 7. Crosses: seat-off.",
                   .x_label = "forward [m]",
                   .y_label = "up [m]",
                   .x_column = "com_believed_x_m",
                   .y_column = "com_believed_z_m",
                   .label = "believed masses",
                   .others = {{"com_cad_x_m", "com_cad_z_m", "CAD masses"}}};
    if (const auto row = seat_off_row(log)) {
      for (const char* name : {"believed", "cad"}) {
        plot.points.push_back({log.at(*row, log.index(fmt::format("com_{}_x_m", name))),
                               log.at(*row, log.index(fmt::format("com_{}_z_m", name))), "seat-off"});
      }
    }
    page.plane_plots.push_back(std::move(plot));
  }
  page.line_plots.push_back(
      {.title = "CoP and planned ZMP",
       .about = "Of the whole body, while only the soles are in contact; as in Mistry et al. 2010, Fig. 6.",
       .y_label = "forward [m]",
       .series = {{"zmp_x_m", "CoP"}, {"planned_zmp_x_m", "planned ZMP", true}, {"com_x_m", "CoM"}}});
  page.line_plots.push_back({.id = "force_of_the_seat",
                             .title = "Seat force",
                             .about = "Vertical force on the robot.",
                             .y_label = "force [N]",
                             .series = {{"seat_force_z_n", "seat"}}});
  if (log.has("planned_seat_force_z_n")) {
    page.line_plots.back().series.push_back({"planned_seat_force_z_n", "planned", true});
  }
}

void add_state_plots(const RobotModel& robot, const Log& log, ReportPage& page) {
  const bool has_person = log.has("com_person_x_m");
  if (log.has("seat_force_z_n")) add_rise_plots(log, page);
  const char* const directions[] = {"forward", "to the left", "up"};
  for (int i = 0; i < 3; ++i) {
    page.line_plots.push_back({.title = fmt::format("Centre of mass, {}", directions[i]),
                               .about = "The simulated robot's own centre of mass against its reference.",
                               .y_label = fmt::format("CoM {} [m]", kAxes[i]),
                               .series = {{fmt::format("com_{}_m", kAxes[i]), "CoM"},
                                          {fmt::format("com_reference_{}_m", kAxes[i]), "reference", true}}});
    if (log.has("com_believed_x_m")) {
      page.line_plots.back().about += " The same executed motion by the masses of plan and controller, and of the CAD.";
      page.line_plots.back().series.push_back({fmt::format("com_believed_{}_m", kAxes[i]), "CoM, believed masses"});
      page.line_plots.back().series.push_back({fmt::format("com_cad_{}_m", kAxes[i]), "CoM, CAD masses"});
    }
    if (!has_person) continue;
    page.line_plots.back().about += " The person's CoM is shown scaled to the robot; as in Mistry et al. 2010, Fig. 6.";
    page.line_plots.back().series.push_back({fmt::format("com_person_{}_m", kAxes[i]), "person", true});
  }
  page.line_plots.push_back({.title = "Normal force of each foot",
                             .about = "Along the foot's own vertical axis.",
                             .y_label = "force [N]",
                             .series = {{"left_foot_force_z_n", "left foot"}, {"right_foot_force_z_n", "right foot"}}});
  if (log.has("planned_left_foot_force_z_n")) {
    page.line_plots.back().about += " Planned: upwards.";
    page.line_plots.back().series.push_back({"planned_left_foot_force_z_n", "left foot, planned", true});
    page.line_plots.back().series.push_back({"planned_right_foot_force_z_n", "right foot, planned", true});
  }
  add_cop_plots(robot, page);
  add_commanded_cop_plots(robot, log, page);
  add_swing_foot_plots(log, page);
  for (int i = 0; i < 2; ++i) {
    page.line_plots.push_back({.title = fmt::format("ZMP and centre of mass, {}", directions[i]),
                               .about = "ZMP of the whole body, not filtered; as in Del Prete et al. 2014, Fig. 3.",
                               .y_label = fmt::format("{} [m]", kAxes[i]),
                               .series = {{fmt::format("zmp_unfiltered_{}_m", kAxes[i]), "ZMP"},
                                          {fmt::format("com_{}_m", kAxes[i]), "CoM", true}}});
  }
  LinePlot torques{.id = "torque_over_limit_busiest_joints",
                   .title = "Joint torque / limit, most loaded joints",
                   .about = "Torque of the drives divided by the joint's limit: 1 and -1 are the limits.",
                   .y_label = "torque / limit",
                   .limits = {-1.0, 1.0}};
  for (const std::string& joint : busiest_joints(robot, log, 6))
    torques.series.push_back({"torque_ratio_" + joint, joint});
  page.line_plots.push_back(std::move(torques));
  add_joint_plot(robot, log, page);
  page.line_plots.push_back(
      {.title = "Trunk tilt",
       .about = "Angle of the trunk from its planned orientation; over 1.05 rad counts as a fall.",
       .y_label = "tilt [rad]",
       .series = {{"trunk_tilt_rad", "trunk"}}});
  for (int side : {kLeft, kRight}) {
    if (!robot.description().soles[side]) continue;
    const Sole& sole = *robot.description().soles[side];
    page.plane_plots.push_back({.title = fmt::format("Centre of pressure of the {} foot", kSides[side]),
                                .about = "In the foot's frame, 20 Hz low-pass; the rectangle is the sole.",
                                .x_label = "forward [m]",
                                .y_label = "to the left [m]",
                                .x_column = fmt::format("{}_cop_x_m", kSides[side]),
                                .y_column = fmt::format("{}_cop_y_m", kSides[side]),
                                .rectangles = {{sole.x_min, sole.x_max, sole.y_min, sole.y_max, "sole"}}});
  }
}

void add_payload_plots(ReportPage& page) {
  page.line_plots.push_back({.id = "payload_as_it_is_estimated",
                             .title = "Estimated payload",
                             .about = "Payload mass on the link, estimated from the foot wrenches.",
                             .y_label = "mass [kg]",
                             .series = {{"payload_mass_kg", "estimate"}}});
  page.line_plots.push_back({.id = "error_of_the_centre_of_mass_that_is_believed",
                             .title = "CoM error of the controller's model",
                             .about = "Horizontal distance between the CoM of the controller's model and the true one.",
                             .y_label = "error [m]",
                             .series = {{"payload_com_error_m", "CoM error"}}});
}

/// The failsafe ladder, where it acted: every level, and when and why it was entered.
void add_failsafe_table(const Result& result, ReportPage& page) {
  PageTable table{.title = "Failsafe ladder",
                  .about = "Levels from top to bottom, and when they were entered; nothing leads back up but a reset.",
                  .header = {"level", "commands the joints", "entered at [s]", "because of"}};
  bool has_acted = false;
  for (std::size_t level = 0; level < kSafetyLevelNames.size(); ++level) {
    const std::string name = fmt::format("failsafe_{}", kSafetyLevelNames[level]);
    const auto entry = std::ranges::find(result.faults, name, &Fault::name);
    const bool is_entered = entry != result.faults.end();
    has_acted = has_acted || is_entered;
    table.rows.push_back({std::string(kSafetyLevelNames[level]), std::string(kSafetyLevelActions[level]),
                          is_entered ? fmt::format("{:.3f}", entry->start_s) : (level == 0 ? "start" : "-"),
                          is_entered ? entry->fallback.substr(entry->fallback.rfind(" of ") + 4) : "-"});
  }
  if (has_acted) page.tables.push_back(std::move(table));
}

}  // namespace

ReportPage run_page(const RunResult& run) {
  ReportPage page{.title = run.result.scenario, .notes = run.notes};
  add_failsafe_table(run.result, page);
  add_state_plots(*run.setup.robot, run.log, page);
  add_controller_plots(run.signals, page);
  if (!run.setup.payload_link.empty()) add_payload_plots(page);
  return page;
}

ReportPage run_page(const RunResult& run, const Scenario& scenario) {
  ReportPage page = run_page(run);
  page.about = scenario.about;
  page.scenario_text = scenario.text;
  return page;
}

}  // namespace aplomb
