#include "aplomb/run/run_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};
constexpr const char* kAxes[] = {"x", "y", "z"};

std::vector<std::string> column_names(const RobotModel& robot, std::span<const Signal> signals, bool is_rise,
                                      bool has_person, bool has_wrenches) {
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
  names.insert(names.end(),
               {"zmp_x_m", "zmp_y_m", "zmp_unfiltered_x_m", "zmp_unfiltered_y_m", "zmp_margin_m", "trunk_tilt_rad"});
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
  if (has_wrenches) {
    names.insert(names.end(),
                 {"planned_seat_force_z_n", "planned_left_foot_force_z_n", "planned_right_foot_force_z_n"});
  }
  for (const Signal& signal : signals) names.push_back(signal.name);
  return names;
}

}  // namespace

RunLog::RunLog(const RobotModel& robot, std::span<const Signal> signals, std::size_t num_ticks, const Trajectory* plan)
    : robot_(&robot),
      is_rise_(plan != nullptr),
      has_person_(plan != nullptr && plan->com_person.cols() > 0),
      has_wrenches_(plan != nullptr && !plan->wrenches.empty()),
      log_(column_names(robot, signals, is_rise_, has_person_, has_wrenches_)) {
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
  add(now.raw_zmp);
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
  if (has_wrenches_) {
    for (double force : {now.planned_seat_force, now.planned_foot_force[kLeft], now.planned_foot_force[kRight]}) {
      row_.push_back(force);
    }
  }
  for (const Signal& signal : signals) row_.push_back(signal.value);
  log_.append(row_);
}

}  // namespace aplomb
