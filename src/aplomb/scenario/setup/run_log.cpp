#include "aplomb/scenario/setup/run_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};
constexpr const char* kAxes[] = {"x", "y", "z"};

std::vector<std::string> column_names(const RobotModel& robot, std::span<const Signal> signals, bool is_rise,
                                      bool has_person) {
  std::vector<std::string> names = {"time_s"};
  const auto add_xyz = [&names](const std::string& stem, const std::string& unit) {
    for (const char* axis : kAxes) names.push_back(stem + "_" + axis + "_" + unit);
  };
  add_xyz("com", "m");
  add_xyz("com_reference", "m");
  add_xyz("com_velocity", "m_per_s");
  add_xyz("base", "m");
  for (const char* part : {"x", "y", "z", "w"}) names.push_back(std::string("base_quaternion_") + part);
  for (const char* side : kSides) {
    add_xyz(std::string(side) + "_foot_force", "n");
    add_xyz(std::string(side) + "_foot_moment", "nm");
    for (const char* axis : {"x", "y"}) names.push_back(fmt::format("{}_cop_{}_m", side, axis));
  }
  for (const char* side : kSides) add_xyz(std::string(side) + "_hand_force", "n");
  names.insert(names.end(), {"zmp_x_m", "zmp_y_m", "zmp_margin_m", "trunk_tilt_rad"});
  add_xyz("push", "n");
  for (const Joint& joint : robot.joints()) names.push_back("position_" + joint.name + "_rad");
  for (const Joint& joint : robot.joints()) names.push_back("velocity_" + joint.name + "_rad_per_s");
  for (const Joint& joint : robot.joints()) names.push_back("torque_" + joint.name + "_nm");
  for (const Joint& joint : robot.joints()) names.push_back("torque_ratio_" + joint.name);
  if (is_rise) {
    names.insert(names.end(), {"seat_force_z_n", "planned_zmp_x_m", "planned_zmp_y_m", "pelvis_x_m", "pelvis_z_m",
                               "planned_pelvis_x_m", "planned_pelvis_z_m"});
  }
  if (has_person) add_xyz("com_person", "m");
  for (const Signal& signal : signals) names.push_back(signal.name);
  return names;
}

/// The first row after the last one in which the seat carries something.
std::optional<std::size_t> seat_off_row(const Log& log) {
  constexpr double kSeated = 1.0;  // [N]
  const std::size_t column = log.index("seat_force_z_n");
  std::size_t row = log.num_rows();
  while (row > 0 && !(log.at(row - 1, column) > kSeated)) --row;
  return row > 0 && row < log.num_rows() ? std::make_optional(row) : std::nullopt;
}

/// As in Lee and Goswami 2010, Fig. 8b, and Del Prete et al. 2014, Fig. 3.
void add_cop_plots(const RobotModel& robot, ReportPage& page) {
  const std::optional<Sole>& sole = robot.description().soles[kLeft];
  if (!sole) return;
  const char* const directions[] = {"forward", "to the left"};
  const std::vector<double> edges[] = {{sole->x_min, sole->x_max}, {sole->y_min, sole->y_max}};
  for (std::size_t i = 0; i < 2; ++i) {
    page.line_plots.push_back({.title = fmt::format("Centre of pressure of each foot, {}", directions[i]),
                               .about = "In the foot's frame, 20 Hz low-pass; the limits are the left sole's edges.",
                               .y_label = fmt::format("CoP {} [m]", kAxes[i]),
                               .series = {{fmt::format("left_cop_{}_m", kAxes[i]), "left foot"},
                                          {fmt::format("right_cop_{}_m", kAxes[i]), "right foot"}},
                               .limits = edges[i]});
  }
}

}  // namespace

RunLog::RunLog(const RobotModel& robot, std::span<const Signal> signals, std::size_t num_ticks, const Trajectory* plan)
    : robot_(&robot),
      is_rise_(plan != nullptr),
      has_person_(plan != nullptr && plan->com_person.cols() > 0),
      log_(column_names(robot, signals, is_rise_, has_person_)) {
  log_.reserve(num_ticks);
  row_.reserve(log_.columns().size());
}

void RunLog::append(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque,
                    std::span<const Signal> signals) {
  row_.clear();
  const auto add = [this](const auto& values) {
    row_.insert(row_.end(), values.data(), values.data() + values.size());
  };
  row_.push_back(now.time_s);
  add(now.com);
  add(now.com_reference);
  add(now.com_velocity);
  row_.insert(row_.end(), state.q.data(), state.q.data() + 7);
  for (int side : {kLeft, kRight}) {
    add(now.foot_wrench[side].force);
    add(now.foot_wrench[side].moment);
    add(now.cop[side]);
  }
  for (const Eigen::Vector3d& force : now.hand_force) add(force);
  add(now.zmp);
  row_.push_back(now.zmp_margin);
  row_.push_back(now.trunk_tilt);
  add(now.push);
  row_.insert(row_.end(), state.q.data() + 7, state.q.data() + state.q.size());
  row_.insert(row_.end(), state.v.data() + 6, state.v.data() + state.v.size());
  add(torque);
  for (int i = 0; i < torque.size(); ++i) {
    row_.push_back(torque[i] / robot_->joints()[static_cast<std::size_t>(i)].effort);
  }
  if (is_rise_) {
    row_.push_back(now.seat_force);
    add(now.planned_zmp);
    for (const Eigen::Vector3d& pelvis : {now.pelvis, now.planned_pelvis}) {
      row_.push_back(pelvis.x());
      row_.push_back(pelvis.z());
    }
  }
  if (has_person_) add(now.com_person);
  for (const Signal& signal : signals) row_.push_back(signal.value);
  log_.append(row_);
}

std::vector<std::string> RunLog::busiest_joints(std::size_t count) const {
  std::vector<std::pair<double, std::string>> peaks;
  for (const Joint& joint : robot_->joints()) {
    const std::size_t column = log_.index("torque_ratio_" + joint.name);
    double peak = 0.0;
    for (std::size_t row = 0; row < log_.num_rows(); ++row) peak = std::max(peak, std::abs(log_.at(row, column)));
    peaks.emplace_back(-peak, joint.name);
  }
  std::ranges::stable_sort(peaks, {}, [](const auto& peak) { return peak.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, peaks.size()); ++i) names.push_back(peaks[i].second);
  return names;
}

void RunLog::add_rise_plots(ReportPage& page) const {
  page.plane_plots.push_back({.title = "Centre of mass in the sagittal plane",
                              .about = "From the chair to standing, as in Mistry et al. 2010, Fig. 7.",
                              .x_label = "forward [m]",
                              .y_label = "up [m]",
                              .x_column = "com_x_m",
                              .y_column = "com_z_m"});
  if (const auto row = seat_off_row(log_)) {
    page.plane_plots.back().points.push_back(
        {log_.at(*row, log_.index("com_x_m")), log_.at(*row, log_.index("com_z_m")), "seat-off"});
  }
  page.line_plots.push_back(
      {.title = "CoP and planned ZMP",
       .about = "Of the whole body, once only the soles touch; as in Mistry et al. 2010, Fig. 6.",
       .y_label = "forward [m]",
       .series = {{"zmp_x_m", "CoP"}, {"planned_zmp_x_m", "planned ZMP", true}, {"com_x_m", "CoM"}}});
  page.line_plots.push_back({.title = "Force of the seat",
                             .about = "Upwards, on the robot.",
                             .y_label = "force [N]",
                             .series = {{"seat_force_z_n", "seat"}}});
}

void RunLog::add_plots(ReportPage& page) const {
  if (is_rise_) add_rise_plots(page);
  const char* const directions[] = {"forward", "to the left", "up"};
  for (int i = 0; i < 3; ++i) {
    page.line_plots.push_back({.title = fmt::format("Centre of mass, {}", directions[i]),
                               .about = "The simulated robot's own centre of mass against its reference.",
                               .y_label = fmt::format("CoM {} [m]", kAxes[i]),
                               .series = {{fmt::format("com_{}_m", kAxes[i]), "CoM"},
                                          {fmt::format("com_reference_{}_m", kAxes[i]), "reference", true}}});
    if (!has_person_) continue;
    page.line_plots.back().about += " The person's is mapped to the robot; as in Mistry et al. 2010, Fig. 6.";
    page.line_plots.back().series.push_back({fmt::format("com_person_{}_m", kAxes[i]), "person", true});
  }
  page.line_plots.push_back({.title = "Normal force of each foot",
                             .about = "Along the foot's own vertical axis.",
                             .y_label = "force [N]",
                             .series = {{"left_foot_force_z_n", "left foot"}, {"right_foot_force_z_n", "right foot"}}});
  add_cop_plots(*robot_, page);
  LinePlot torques{.title = "Torque over limit, busiest joints",
                   .about = "What the drives applied, divided by the joint's limit: 1 and -1 are the limits.",
                   .y_label = "torque / limit",
                   .limits = {-1.0, 1.0}};
  for (const std::string& joint : busiest_joints(6)) torques.series.push_back({"torque_ratio_" + joint, joint});
  page.line_plots.push_back(std::move(torques));
  page.line_plots.push_back(
      {.title = "Trunk tilt",
       .about = "Angle of the trunk from its planned orientation; over 1.05 rad counts as a fall.",
       .y_label = "tilt [rad]",
       .series = {{"trunk_tilt_rad", "trunk"}}});
  for (int side : {kLeft, kRight}) {
    if (!robot_->description().soles[side]) continue;
    const Sole& sole = *robot_->description().soles[side];
    page.plane_plots.push_back({.title = fmt::format("Centre of pressure of the {} foot", kSides[side]),
                                .about = "In the foot's frame, 20 Hz low-pass; the rectangle is the sole.",
                                .x_label = "forward [m]",
                                .y_label = "to the left [m]",
                                .x_column = fmt::format("{}_cop_x_m", kSides[side]),
                                .y_column = fmt::format("{}_cop_y_m", kSides[side]),
                                .rectangles = {{sole.x_min, sole.x_max, sole.y_min, sole.y_max, "sole"}}});
  }
}

}  // namespace aplomb
